/*
 * hcisim - a scripted Bluetooth LE controller for tests.
 *
 * Plays the controller side of HCI (H4 framing) and sends scripted LE
 * advertising reports.  Three ways to reach a host stack:
 *
 *   --vhci           /dev/vhci: a real Linux kernel gets a new hciN
 *   --tcp PORT       listen on 127.0.0.1:PORT, one H4 client at a time
 *   --pty            make a pseudo terminal, print its name (H4 over "UART")
 *
 * Script lines (file given with -s, '#' starts a comment):
 *
 *   beacon addr=C0:00:00:00:00:01 uuid=... major=1 minor=2 power=-59 \
 *          rssi=-60 every=100 [pdu=nonconn|ind|scan|ext] [noise=3] [loss=10]
 *          [at=0] [until=5000] [count=20] [atype=random|public] [phy=1|2|3]
 *          [txpow=-4] [sid=1] [walk=-90] [sigma=4] [fade=3] [floor=-95]
 *          [path=0:-95,20000:-60,40000:-95] [frag=229] [end=0|1|2]
 *   adv    same keys, but data=HEX (whole AD payload) instead of the iBeacon
 *          keys; rsp=HEX is the scan response, sent when scanning is active
 *   event  at=MS hex=HEX [every=MS] [count=N] [scan=1]
 *          any raw HCI event (event code, length, parameters): for malformed
 *          reports, hardware errors, ... ; sent even when no scan is on,
 *          but with scan=1 only during a scan
 *
 * Times are in milliseconds.  at= counts from the moment scanning is enabled
 * for the first time (for events without scan=1: from the start of the
 * program).
 *
 * Signal: path= gives the mean at points in time, straight lines between them
 * (walk= is the short form: rssi= at at=, walk= at until=).  To it are added
 * noise= (uniform, +-N dB), sigma= (normal, standard deviation) and fade=
 * (normal, but slow: about 2 s).  Adverts that come out weaker than floor= are
 * not heard.  rssi=127: not available.
 *
 * Extended adverts: data longer than frag= bytes comes in pieces.  end= is the
 * data status of the last piece: 0 complete, 1 more to come (which never
 * comes), 2 truncated by the controller.  atype=anon: anonymous.
 *
 * Build:  cc -O2 -static -o hcisim hcisim.c -lm
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum pdu { PDU_NONCONN, PDU_IND, PDU_SCAN, PDU_EXT };

struct src {
	bool is_event;
	uint8_t addr[6];		/* little endian, as on the wire */
	uint8_t atype;
	enum pdu pdu;
	uint8_t data[1650];
	int len;
	uint8_t rsp[31];
	int rsplen;
	bool ibeacon;
	int rssi, noise, loss, walk;
	bool walking, scan_only;
	double sigma, fade, drift;	/* dB */
	int64_t faded;			/* ns, when drift was last made */
	int floor;
	struct { int64_t ms; int rssi; } path[24];
	int npath;
	int phy, txpow, sid, frag, end;
	int64_t at, until, every;	/* ms */
	int64_t count;			/* -1: for ever */
	int64_t next;			/* ns, absolute; 0 = not armed */
	int64_t sent;
	bool seen;			/* for duplicate filtering */
	uint8_t raw[260];
	int rawlen;
};

static struct src *srcs;
static int nsrcs;

static int fd = -1, listen_fd = -1;
static bool is_vhci;
static bool opt_ext = true, opt_dual, opt_seq, opt_verbose, opt_shuffle;
static bool opt_nodupfilter, opt_strict;
static int opt_batch = 1;
static double opt_rate;
static int64_t opt_total = -1;
static uint8_t bdaddr[6] = { 0x01, 0x02, 0x53, 0x00, 0x5e, 0x00 };

static bool scan_legacy, scan_ext, scan_active, scan_dup;
static int64_t scan_t0;			/* first time scanning was enabled */
static uint64_t ev_mask, le_mask;
static enum { UNUSED, OLD, NEW } family;	/* --strict: commands used so far */
static uint64_t n_masked, n_refused, n_cmd, n_reports, n_events, n_dup, n_lost, n_hidden;
static uint32_t seq;
static volatile sig_atomic_t stop;

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

__attribute__((format(printf, 1, 2)))
static void note(const char *fmt, ...)
{
	static int64_t t0;
	va_list ap;

	if (!t0)
		t0 = now_ns();
	fprintf(stderr, "hcisim %8.3f ", (now_ns() - t0) / 1e9);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

static void die(const char *what)
{
	fprintf(stderr, "hcisim: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void bad(int line, const char *what, const char *arg)
{
	fprintf(stderr, "hcisim: line %d: %s%s%s\n", line, what,
		arg ? ": " : "", arg ? arg : "");
	exit(2);
}

/* ---------- sending ---------- */

static bool send_pkt(const uint8_t *p, int n)
{
	while (n > 0) {
		ssize_t r = write(fd, p, n);

		if (r < 0) {
			if (errno == EINTR)
				continue;
			if (errno == EAGAIN) {
				struct pollfd q = { fd, POLLOUT, 0 };

				poll(&q, 1, 1000);
				continue;
			}
			return false;
		}
		p += r;
		n -= r;
	}
	return true;
}

static void cmd_complete(uint16_t op, const void *ret, int n)
{
	uint8_t b[260] = { 0x04, 0x0e, (uint8_t)(3 + n), 1,
			   (uint8_t)op, (uint8_t)(op >> 8) };

	memcpy(b + 6, ret, n);
	send_pkt(b, 6 + n);
}

static void cmd_status(uint16_t op, uint8_t status)
{
	uint8_t b[7] = { 0x04, 0x0f, 4, status, 1,
			 (uint8_t)op, (uint8_t)(op >> 8) };

	send_pkt(b, sizeof(b));
}

/* ---------- HCI commands ---------- */

static void set_bit(uint8_t *m, int octet, int bit)
{
	m[octet] |= 1 << bit;
}

static void supported_commands(uint8_t *m)
{
	memset(m, 0, 64);
	set_bit(m, 0, 5);				/* Disconnect */
	set_bit(m, 5, 6), set_bit(m, 5, 7);		/* Event mask, Reset */
	set_bit(m, 14, 3), set_bit(m, 14, 5);		/* version, features */
	set_bit(m, 15, 1);				/* BD_ADDR */
	m[25] = 0xf7, m[26] = 0xcf, m[27] = 0x8b;	/* LE basics, no connect */
	set_bit(m, 28, 3);				/* LE states */
	m[34] |= 0x78;					/* resolving list */
	m[35] |= 0x06;					/* addr. resolution */
	if (opt_ext) {
		set_bit(m, 35, 5);			/* default PHY */
		m[36] |= 0xfe;				/* ext. advertising */
		m[37] |= 0x63;				/* ext. scanning */
	}
}

static void le_features(uint8_t *f)
{
	memset(f, 0, 8);
	f[0] = 0x40;					/* LL privacy */
	if (opt_ext)
		f[1] = 0x01 | 0x08 | 0x10;		/* 2M, coded, ext. adv */
}

static void reset_state(void)
{
	scan_legacy = scan_ext = scan_active = false;
	family = UNUSED;
	ev_mask = 0x00001fffffffffff;	/* no LE Meta events ... */
	le_mask = 0x1f;			/* ... and no extended reports */
}

static void scan_changed(bool on, bool dup, const char *kind)
{
	int64_t t = now_ns();

	if (on) {
		scan_dup = dup && !opt_nodupfilter;
		if (!scan_t0)
			scan_t0 = t;
		for (int i = 0; i < nsrcs; i++) {
			srcs[i].seen = false;
			if ((!srcs[i].is_event || srcs[i].scan_only) && !srcs[i].next)
				srcs[i].next = scan_t0 + srcs[i].at * 1000000;
		}
	}
	note("%s scan %s%s%s", kind, on ? "on" : "off",
	     on ? (scan_active ? ", active" : ", passive") : "",
	     on ? (dup ? ", filter duplicates" : ", all adverts") : "");
}

static void handle_cmd(const uint8_t *p, int n)
{
	uint16_t op = p[0] | p[1] << 8;
	int len = p[2];
	uint8_t r[260] = { 0 };			/* r[0] is the status */

	if (len > n - 3)
		len = n - 3;
	n_cmd++;
	if (opt_verbose)
		note("cmd 0x%04x len %d", op, len);
	p += 3;
	if (!opt_ext && (op == 0x2031 || (op >= 0x2035 && op <= 0x204d))) {
		r[0] = 0x01;				/* unknown command */
		cmd_complete(op, r, 1);
		return;
	}
	if (opt_strict) {
		/* legacy and extended commands must not be mixed: Core 5.x,
		 * Vol 4, Part E, 3.1.1 */
		int f = (op >= 0x2006 && op <= 0x200d) ? OLD :
			(op >= 0x2036 && op <= 0x2045) ? NEW : UNUSED;

		if (f != UNUSED && family != UNUSED && f != (int)family) {
			r[0] = 0x0c;
			cmd_complete(op, r, 1);
			n_refused++;
			return;
		}
		if (f != UNUSED)
			family = f;
	}
	switch (op) {
	case 0x0c03:					/* Reset */
		reset_state();
		cmd_complete(op, r, 1);
		return;
	case 0x0c01:					/* Event Mask */
		if (len >= 8)
			memcpy(&ev_mask, p, 8);
		cmd_complete(op, r, 1);
		return;
	case 0x2001:					/* LE Event Mask */
		if (len >= 8)
			memcpy(&le_mask, p, 8);
		cmd_complete(op, r, 1);
		return;
	case 0x1001:					/* Local Version */
		r[1] = 0x0b, r[4] = 0x0b;		/* 5.2 */
		r[5] = 0xf1, r[6] = 0x05;		/* manufacturer 1521 */
		cmd_complete(op, r, 9);
		return;
	case 0x1002:
		supported_commands(r + 1);
		cmd_complete(op, r, 65);
		return;
	case 0x1003:
		r[1 + 4] = opt_dual ? 0x40 : 0x60;	/* LE, no BR/EDR */
		cmd_complete(op, r, 9);
		return;
	case 0x1004:
		r[1] = len ? p[0] : 0;
		r[2] = 1;
		r[3] = r[1] == 1 ? 0x02 : 0;		/* LE host */
		if (r[1] == 0)
			r[3 + 4] = opt_dual ? 0x40 : 0x60;
		cmd_complete(op, r, 11);
		return;
	case 0x1005:
		r[1] = 0xc0, r[2] = 0x03, r[3] = 64, r[4] = 8, r[6] = 8;
		cmd_complete(op, r, 8);
		return;
	case 0x1009:
		memcpy(r + 1, bdaddr, 6);
		cmd_complete(op, r, 7);
		return;
	case 0x0c14:					/* local name */
		strcpy((char *)r + 1, "hcisim");
		cmd_complete(op, r, 249);
		return;
	case 0x0c23:					/* class of device */
		cmd_complete(op, r, 4);
		return;
	case 0x0c25:					/* voice setting */
		cmd_complete(op, r, 3);
		return;
	case 0x0c38:					/* number of IAC */
		r[1] = 1;
		cmd_complete(op, r, 2);
		return;
	case 0x0c39:					/* IAC LAP */
		r[1] = 1, r[2] = 0x33, r[3] = 0x8b, r[4] = 0x9e;
		cmd_complete(op, r, 5);
		return;
	case 0x2002:					/* LE buffer size */
		r[1] = 27, r[3] = 8;
		cmd_complete(op, r, 4);
		return;
	case 0x2003:
		le_features(r + 1);
		cmd_complete(op, r, 9);
		return;
	case 0x2007:					/* adv TX power */
		cmd_complete(op, r, 2);
		return;
	case 0x200b:					/* scan parameters */
		if (scan_legacy || scan_ext) {		/* not while scanning */
			r[0] = 0x0c;
			cmd_complete(op, r, 1);
			n_refused++;
			return;
		}
		scan_active = len >= 1 && p[0];
		cmd_complete(op, r, 1);
		return;
	case 0x200c:					/* scan enable */
		scan_legacy = len >= 1 && p[0];
		cmd_complete(op, r, 1);
		scan_changed(scan_legacy, len >= 2 && p[1], "legacy");
		return;
	case 0x2041:					/* ext. scan parameters */
		if (scan_legacy || scan_ext) {
			r[0] = 0x0c;
			cmd_complete(op, r, 1);
			n_refused++;
			return;
		}
		scan_active = len >= 4 && p[3];
		cmd_complete(op, r, 1);
		return;
	case 0x2042:					/* ext. scan enable */
		scan_ext = len >= 1 && p[0];
		cmd_complete(op, r, 1);
		scan_changed(scan_ext, len >= 2 && p[1], "extended");
		return;
	case 0x200f:					/* accept list size */
		r[1] = 16;
		cmd_complete(op, r, 2);
		return;
	case 0x201c:					/* LE states */
		memset(r + 1, 0xff, 5);
		cmd_complete(op, r, 9);
		return;
	case 0x2018:					/* LE Rand */
		for (int i = 1; i < 9; i++)
			r[i] = (uint8_t)random();
		cmd_complete(op, r, 9);
		return;
	case 0x202a:					/* resolving list size */
		r[1] = 8;
		cmd_complete(op, r, 2);
		return;
	case 0x2023:					/* suggested data length */
		r[1] = 27, r[3] = 0x48, r[4] = 0x01;
		cmd_complete(op, r, 5);
		return;
	case 0x202f:					/* max. data length */
		r[1] = 27, r[3] = 0x48, r[4] = 0x01;
		r[5] = 27, r[7] = 0x48, r[8] = 0x01;
		cmd_complete(op, r, 9);
		return;
	case 0x203a:					/* max. adv data length */
		r[1] = 0xfb;
		cmd_complete(op, r, 3);
		return;
	case 0x203b:					/* number of adv sets */
		r[1] = 2;
		cmd_complete(op, r, 2);
		return;
	case 0x2036:					/* ext. adv parameters */
		cmd_complete(op, r, 2);
		return;
	case 0x204b:					/* TX power range */
		r[1] = (uint8_t)-20, r[2] = 8;
		cmd_complete(op, r, 3);
		return;
	case 0x200a: case 0x2039:			/* own adv: accepted, unused */
	case 0x0c63: case 0x0c6d: case 0x0c12: case 0x0c05:
	case 0x0c13: case 0x0c16: case 0x0c18: case 0x0c1a: case 0x0c24:
	case 0x0c26: case 0x0c3a: case 0x0c45: case 0x0c52: case 0x0c56:
	case 0x080f:
	case 0x2005: case 0x2006: case 0x2008: case 0x2009:
	case 0x2010: case 0x2011: case 0x2012: case 0x2014: case 0x2024:
	case 0x2027: case 0x2028: case 0x2029: case 0x202d: case 0x202e:
	case 0x2031: case 0x2035: case 0x2037: case 0x2038: case 0x203c:
	case 0x203d: case 0x204e:
		cmd_complete(op, r, 1);
		return;
	case 0x0405: case 0x0406: case 0x200d: case 0x2043: case 0x2016:
		cmd_status(op, 0x0c);			/* disallowed */
		return;
	default:
		if (opt_verbose)
			note("unknown command 0x%04x", op);
		r[0] = 0x01;
		cmd_complete(op, r, 1);
	}
}

/* ---------- advertising reports ---------- */

struct evbuf {
	uint8_t b[3 + 256];
	int n;			/* parameter bytes used */
	uint8_t sub;
} out;

static void flush_reports(void)
{
	if (!out.n)
		return;
	out.b[2] = (uint8_t)out.n;
	send_pkt(out.b, 3 + out.n);
	n_events++;
	out.n = 0;
}

static void add_report(uint8_t sub, const uint8_t *rep, int n)
{
	if (!(ev_mask >> 61 & 1) || !(le_mask >> (sub - 1) & 1)) {
		n_masked++;
		return;
	}
	if (out.n && (out.sub != sub || out.n + n > 255 ||
		      out.b[4] >= opt_batch))
		flush_reports();
	if (!out.n) {
		out.b[0] = 0x04, out.b[1] = 0x3e;
		out.b[3] = sub, out.b[4] = 0;
		out.sub = sub;
		out.n = 2;
	}
	memcpy(out.b + 3 + out.n, rep, n);
	out.n += n;
	out.b[4]++;
	n_reports++;
	if (out.b[4] >= opt_batch)
		flush_reports();
}

static void report_legacy(const struct src *s, uint8_t type,
			  const uint8_t *data, int len, int rssi)
{
	uint8_t r[64];
	int n = 0;

	r[n++] = type;
	r[n++] = s->atype;
	memcpy(r + n, s->addr, 6), n += 6;
	r[n++] = (uint8_t)len;
	memcpy(r + n, data, len), n += len;
	r[n++] = (uint8_t)rssi;
	add_report(0x02, r, n);
}

static void report_ext(const struct src *s, uint16_t type, bool legacy,
		       const uint8_t *data, int len, int rssi)
{
	/* one report holds at most 229 bytes: longer data goes in pieces */
	do {
		int part = len > s->frag ? s->frag : len;
		uint16_t t = type | (part < len ? 1 : s->end) << 5;
		uint8_t r[256];
		int n = 0;

		r[n++] = (uint8_t)t, r[n++] = (uint8_t)(t >> 8);
		r[n++] = s->atype;
		memcpy(r + n, s->addr, 6), n += 6;
		r[n++] = s->phy == 3 ? 3 : 1;
		r[n++] = legacy ? 0 : s->phy;
		r[n++] = legacy ? 0xff : s->sid;
		r[n++] = legacy ? 127 : (uint8_t)s->txpow;
		r[n++] = (uint8_t)rssi;
		r[n++] = 0, r[n++] = 0;			/* periodic interval */
		memset(r + n, 0, 7), n += 7;		/* direct address */
		r[n++] = (uint8_t)part;
		memcpy(r + n, data, part), n += part;
		add_report(0x0d, r, n);
		data += part;
		len -= part;
	} while (len > 0);
}

static double normal(void)
{
	double x = -6;

	for (int i = 0; i < 12; i++)
		x += random() / (double)RAND_MAX;
	return x;
}

/* the signal strength of one advert, before rounding */
static double level(struct src *s)
{
	int64_t t = now_ns();
	double ms = (t - scan_t0) / 1e6, x = s->rssi;

	if (s->rssi == 127)
		return 127;
	if (s->walking && s->until > s->at) {
		double f = (ms - s->at) / (s->until - s->at);

		x += (int)((s->walk - s->rssi) * (f > 1 ? 1 : f));
	}
	for (int i = 0; i < s->npath; i++) {
		if (ms < s->path[i].ms) {
			if (i)
				x += (s->path[i].rssi - x) *
				     (ms - s->path[i - 1].ms) /
				     (s->path[i].ms - s->path[i - 1].ms);
			else
				x = s->path[0].rssi;
			break;
		}
		x = s->path[i].rssi;
	}
	if (s->noise)
		x += (int)(random() % (2 * s->noise + 1)) - s->noise;
	if (s->sigma > 0)
		x += s->sigma * normal();
	if (s->fade > 0) {
		double a = s->faded ? exp((s->faded - t) / 2e9) : 0;

		s->drift = a * s->drift + sqrt(1 - a * a) * s->fade * normal();
		s->faded = t;
		x += s->drift;
	}
	return x < -127 ? -127 : x > 20 ? 20 : x;
}

static void send_adv(struct src *s)
{
	static const uint8_t leg[] = { 0x03, 0x00, 0x02 };
	static const uint16_t ext[] = { 0x10, 0x13, 0x12, 0x00 };
	int rssi = (int)lrint(level(s));

	s->sent++;
	if ((s->loss && random() % 100 < s->loss) || rssi < s->floor) {
		n_lost++;
		return;
	}
	if (scan_dup && s->seen) {
		n_dup++;
		return;
	}
	if (s->pdu == PDU_EXT && !scan_ext) {		/* not seen by old scans */
		n_hidden++;
		return;
	}
	s->seen = true;
	if (opt_seq && s->ibeacon) {
		int m = s->len - 5;

		s->data[m] = seq >> 24, s->data[m + 1] = seq >> 16;
		s->data[m + 2] = seq >> 8, s->data[m + 3] = seq;
	}
	seq++;
	if (scan_ext) {
		report_ext(s, ext[s->pdu], s->pdu != PDU_EXT,
			   s->data, s->len, rssi);
		if (scan_active && s->rsplen &&
		    (s->pdu == PDU_IND || s->pdu == PDU_SCAN))
			report_ext(s, s->pdu == PDU_IND ? 0x1b : 0x1a, true,
				   s->rsp, s->rsplen, rssi);
	} else {
		report_legacy(s, leg[s->pdu], s->data, s->len, rssi);
		if (scan_active && s->rsplen &&
		    (s->pdu == PDU_IND || s->pdu == PDU_SCAN))
			report_legacy(s, 0x04, s->rsp, s->rsplen, rssi);
	}
}

static int64_t run_due(int64_t t)
{
	int64_t soonest = t + 1000000000LL;
	bool on = scan_legacy || scan_ext;
	static int rr;
	static int64_t rate_next;

	for (int i = 0; i < nsrcs; i++) {
		struct src *s = &srcs[i];

		if (!s->is_event && (opt_rate > 0 || !on))
			continue;
		if (s->scan_only && !on)
			continue;
		if (!s->next || (s->count >= 0 && s->sent >= s->count))
			continue;
		if (s->next <= t) {
			if (s->is_event) {
				send_pkt(s->raw, s->rawlen);
				s->sent++;
			} else if (s->until < 0 ||
				   t - scan_t0 <= s->until * 1000000) {
				send_adv(s);
			} else {
				s->count = s->sent;
				continue;
			}
			if (s->every <= 0) {
				s->count = s->sent;
				continue;
			}
			s->next += s->every * 1000000;
			if (opt_shuffle)
				s->next += random() % 10000000;	/* advDelay */
			if (s->next < t)
				s->next = t;
		}
		if (s->next < soonest)
			soonest = s->next;
	}
	if (opt_rate > 0 && on) {
		int64_t gap = (int64_t)(1e9 / opt_rate);
		int burst = 0;

		if (!rate_next)
			rate_next = t;
		while (rate_next <= t && burst++ < 256 &&
		       (opt_total < 0 || (int64_t)n_reports < opt_total)) {
			for (int k = 0; k < nsrcs; k++) {
				struct src *s = &srcs[rr++ % nsrcs];

				if (!s->is_event) {
					send_adv(s);
					break;
				}
			}
			rate_next += gap;
		}
		if (opt_total >= 0 && (int64_t)n_reports >= opt_total) {
			static bool said;

			if (!said)
				note("sent all %llu reports in %.3f s",
				     (unsigned long long)n_reports,
				     (now_ns() - scan_t0) / 1e9);
			said = true;
		} else if (rate_next < soonest) {
			soonest = rate_next;
		}
	}
	flush_reports();
	return soonest;
}

/* ---------- script ---------- */

static int hex(const char *v, uint8_t *o, int max)
{
	int n = 0, hi = -1;

	for (; *v; v++) {
		int d;

		if (*v == '-' || *v == ':' || *v == '_')
			continue;
		if (!isxdigit((unsigned char)*v))
			return -1;
		d = isdigit((unsigned char)*v) ? *v - '0' :
		    tolower((unsigned char)*v) - 'a' + 10;
		if (hi < 0) {
			hi = d;
		} else {
			if (n == max)
				return -1;
			o[n++] = (uint8_t)(hi << 4 | d);
			hi = -1;
		}
	}
	return hi < 0 ? n : -1;
}

static void parse_path(struct src *s, char *v, int line)
{
	char *save = NULL, *p = strtok_r(v, ",", &save);
	int max = sizeof(s->path) / sizeof(s->path[0]);

	for (; p; p = strtok_r(NULL, ",", &save)) {
		char *c = strchr(p, ':');

		if (!c || s->npath == max)
			bad(line, "path is MS:DBM,MS:DBM,...", p);
		s->path[s->npath].ms = atoll(p);
		s->path[s->npath++].rssi = atoi(c + 1);
	}
}

static void parse_line(char *l, int line)
{
	struct src s = { .atype = 1, .pdu = PDU_NONCONN, .rssi = -60,
			 .phy = 1, .txpow = 127, .sid = 1, .every = 100,
			 .until = -1, .count = -1, .floor = -128,
			 .frag = 229 };
	uint8_t uuid[16] = { 0 }, a[6] = { 0xc0, 0, 0, 0, 0, 0 };
	int major = 0, minor = 0, power = -59;
	char *save = NULL, *w = strtok_r(l, " \t\r\n", &save);

	if (!w || *w == '#')
		return;
	a[4] = (uint8_t)(nsrcs >> 8), a[5] = (uint8_t)nsrcs;
	if (!strcmp(w, "beacon"))
		s.ibeacon = true;
	else if (!strcmp(w, "event"))
		s.is_event = true, s.every = 0;
	else if (strcmp(w, "adv"))
		bad(line, "unknown word", w);
	while ((w = strtok_r(NULL, " \t\r\n", &save)) && *w != '#') {
		char *v = strchr(w, '=');

		if (!v)
			bad(line, "key=value wanted", w);
		*v++ = 0;
		if (!strcmp(w, "addr")) {
			if (hex(v, a, 6) != 6)
				bad(line, "bad address", v);
		} else if (!strcmp(w, "uuid")) {
			if (hex(v, uuid, 16) != 16)
				bad(line, "bad uuid", v);
		} else if (!strcmp(w, "data")) {
			if ((s.len = hex(v, s.data, sizeof(s.data))) < 0)
				bad(line, "bad data", v);
		} else if (!strcmp(w, "rsp")) {
			if ((s.rsplen = hex(v, s.rsp, sizeof(s.rsp))) < 0)
				bad(line, "bad rsp", v);
		} else if (!strcmp(w, "hex")) {
			s.raw[0] = 0x04;
			if ((s.rawlen = hex(v, s.raw + 1, 258)) < 0)
				bad(line, "bad hex", v);
			s.rawlen++;
		} else if (!strcmp(w, "pdu")) {
			s.pdu = !strcmp(v, "ext") ? PDU_EXT :
				!strcmp(v, "ind") ? PDU_IND :
				!strcmp(v, "scan") ? PDU_SCAN : PDU_NONCONN;
		} else if (!strcmp(w, "atype")) {
			s.atype = !strcmp(v, "public") ? 0 :
				  !strcmp(v, "anon") ? 0xff :
				  isdigit((unsigned char)*v) ? atoi(v) : 1;
		} else if (!strcmp(w, "major"))
			major = strtol(v, NULL, 0);
		else if (!strcmp(w, "minor"))
			minor = strtol(v, NULL, 0);
		else if (!strcmp(w, "power"))
			power = atoi(v);
		else if (!strcmp(w, "rssi"))
			s.rssi = atoi(v);
		else if (!strcmp(w, "noise"))
			s.noise = atoi(v);
		else if (!strcmp(w, "loss"))
			s.loss = atoi(v);
		else if (!strcmp(w, "walk"))
			s.walk = atoi(v), s.walking = true;
		else if (!strcmp(w, "sigma"))
			s.sigma = atof(v);
		else if (!strcmp(w, "fade"))
			s.fade = atof(v);
		else if (!strcmp(w, "floor"))
			s.floor = atoi(v);
		else if (!strcmp(w, "path"))
			parse_path(&s, v, line);
		else if (!strcmp(w, "frag")) {
			s.frag = atoi(v);
			if (s.frag < 1 || s.frag > 229)
				bad(line, "frag is 1 to 229", v);
		} else if (!strcmp(w, "end"))
			s.end = atoi(v) & 3;
		else if (!strcmp(w, "scan"))
			s.scan_only = atoi(v);
		else if (!strcmp(w, "every"))
			s.every = atoi(v);
		else if (!strcmp(w, "at"))
			s.at = atoi(v);
		else if (!strcmp(w, "until"))
			s.until = atoi(v);
		else if (!strcmp(w, "count"))
			s.count = atoi(v);
		else if (!strcmp(w, "phy"))
			s.phy = atoi(v);
		else if (!strcmp(w, "txpow"))
			s.txpow = atoi(v);
		else if (!strcmp(w, "sid"))
			s.sid = atoi(v);
		else
			bad(line, "unknown key", w);
	}
	for (int i = 0; i < 6 && s.atype != 0xff; i++)
		s.addr[i] = a[5 - i];
	if (s.ibeacon) {
		static const uint8_t head[] = { 0x02, 0x01, 0x06, 0x1a, 0xff,
						0x4c, 0x00, 0x02, 0x15 };

		memcpy(s.data, head, 9);
		memcpy(s.data + 9, uuid, 16);
		s.data[25] = major >> 8, s.data[26] = major;
		s.data[27] = minor >> 8, s.data[28] = minor;
		s.data[29] = (uint8_t)power;
		s.len = 30;
	}
	if (s.pdu != PDU_EXT && s.len > 31)
		bad(line, "more than 31 bytes need pdu=ext", NULL);
	if (s.is_event && !s.scan_only)
		s.next = now_ns() + s.at * 1000000 + 1;
	srcs = realloc(srcs, sizeof(*srcs) * (nsrcs + 1));
	if (!srcs)
		die("realloc");
	srcs[nsrcs++] = s;
}

static void read_script(const char *name)
{
	FILE *f = !strcmp(name, "-") ? stdin : fopen(name, "r");
	char *l = NULL;
	size_t cap = 0;
	int line = 0;

	if (!f)
		die(name);
	while (getline(&l, &cap, f) > 0)
		parse_line(l, ++line);
	free(l);
	if (f != stdin)
		fclose(f);
}

/* ---------- transports ---------- */

static void open_vhci(void)
{
	uint8_t rq[2] = { 0xff, 0x00 }, rs[16];
	ssize_t n;

	fd = open("/dev/vhci", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die("/dev/vhci");
	if (write(fd, rq, 2) != 2)
		die("create vhci");
	n = read(fd, rs, sizeof(rs));
	if (n < 4 || rs[0] != 0xff) {
		errno = EPROTO;
		die("vhci answer");
	}
	is_vhci = true;
	note("vhci: hci%d", rs[2] | rs[3] << 8);
}

static void open_tcp(int port)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_port = htons(port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int one = 1;

	listen_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(listen_fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(listen_fd, (struct sockaddr *)&a, sizeof(a)) ||
	    listen(listen_fd, 1))
		die("listen");
	note("tcp: waiting on 127.0.0.1:%d", port);
}

static void accept_tcp(void)
{
	int one = 1;

	fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC);
	if (fd < 0)
		return;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	reset_state();
	note("tcp: client connected");
}

static void open_pty(void)
{
	struct termios t;

	fd = posix_openpt(O_RDWR | O_NOCTTY);
	if (fd < 0 || grantpt(fd) || unlockpt(fd))
		die("pty");
	tcgetattr(fd, &t);
	cfmakeraw(&t);
	tcsetattr(fd, TCSANOW, &t);
	printf("%s\n", ptsname(fd));
	fflush(stdout);
	note("pty: %s", ptsname(fd));
}

/* bytes of an H4 stream become commands; returns how many were used */
static int eat(const uint8_t *b, int n)
{
	int used = 0;

	while (n - used >= 1) {
		const uint8_t *p = b + used;
		int left = n - used, need;

		switch (p[0]) {
		case 0x01:
			need = left >= 4 ? 4 + p[3] : 4;
			break;
		case 0x02:
			need = left >= 5 ? 5 + (p[3] | p[4] << 8) : 5;
			break;
		case 0x03:
			need = left >= 4 ? 4 + p[3] : 4;
			break;
		default:
			if (opt_verbose)
				note("skipped byte 0x%02x", p[0]);
			used++;
			continue;
		}
		if (left < need)
			break;
		if (p[0] == 0x01)
			handle_cmd(p + 1, need - 1);
		used += need;
	}
	return used;
}

static void on_signal(int s)
{
	(void)s;
	stop = 1;
}

static void usage(void)
{
	fputs("usage: hcisim (--vhci | --tcp PORT | --pty) [-s SCRIPT]...\n"
	      "  --no-ext      a Bluetooth 4.x controller: legacy scan only\n"
	      "  --bredr       claim BR/EDR too (default: LE only)\n"
	      "  --addr A      own public address\n"
	      "  --rate N      N reports/s in all, round robin; every= ignored\n"
	      "  --total N     stop sending after N reports (with --rate)\n"
	      "  --batch N     up to N reports in one HCI event\n"
	      "  --seq         major/minor hold a running number (loss checks)\n"
	      "  --strict      refuse legacy scan commands after extended ones and\n"
	      "                the other way round, as the specification says\n"
	      "  --ignore-dup  never filter duplicates, whatever the host asks\n"
	      "  --jitter      add 0-10 ms to every interval, as real adverts\n"
	      "  --seed N      for noise, loss, jitter\n"
	      "  -v            log every command\n", stderr);
	exit(2);
}

int main(int argc, char **argv)
{
	uint8_t buf[8192];
	int have = 0, port = 0;
	enum { NONE, VHCI, TCP, PTY } how = NONE;
	unsigned seed = 1;
	struct sigaction sa = { .sa_handler = on_signal };

	for (int i = 1; i < argc; i++) {
		const char *a = argv[i], *v = i + 1 < argc ? argv[i + 1] : NULL;

		if (!strcmp(a, "--vhci"))
			how = VHCI;
		else if (!strcmp(a, "--pty"))
			how = PTY;
		else if (!strcmp(a, "--tcp") && v)
			how = TCP, port = atoi(v), i++;
		else if (!strcmp(a, "-s") && v)
			read_script(v), i++;
		else if (!strcmp(a, "--no-ext"))
			opt_ext = false;
		else if (!strcmp(a, "--bredr"))
			opt_dual = true;
		else if (!strcmp(a, "--seq"))
			opt_seq = true;
		else if (!strcmp(a, "--ignore-dup"))
			opt_nodupfilter = true;
		else if (!strcmp(a, "--strict"))
			opt_strict = true;
		else if (!strcmp(a, "--jitter"))
			opt_shuffle = true;
		else if (!strcmp(a, "-v"))
			opt_verbose = true;
		else if (!strcmp(a, "--rate") && v)
			opt_rate = atof(v), i++;
		else if (!strcmp(a, "--total") && v)
			opt_total = atoll(v), i++;
		else if (!strcmp(a, "--batch") && v)
			opt_batch = atoi(v), i++;
		else if (!strcmp(a, "--seed") && v)
			seed = (unsigned)atoi(v), i++;
		else if (!strcmp(a, "--addr") && v) {
			uint8_t x[6];

			if (hex(v, x, 6) != 6)
				usage();
			for (int k = 0; k < 6; k++)
				bdaddr[k] = x[5 - k];
			i++;
		} else
			usage();
	}
	if (how == NONE)
		usage();
	srandom(seed);
	reset_state();
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
	if (how == VHCI)
		open_vhci();
	else if (how == TCP)
		open_tcp(port);
	else
		open_pty();

	while (!stop) {
		struct pollfd q[2] = { { fd, POLLIN, 0 },
				       { listen_fd, fd < 0 ? POLLIN : 0, 0 } };
		int64_t t = now_ns(), due = t + 1000000000LL, wait;
		struct timespec ts;
		ssize_t n;

		if (fd >= 0)
			due = run_due(t);
		wait = due - now_ns();
		if (wait < 0)
			wait = 0;
		ts.tv_sec = wait / 1000000000LL;
		ts.tv_nsec = wait % 1000000000LL;
		if (ppoll(q, listen_fd >= 0 ? 2 : 1, &ts, NULL) <= 0)
			continue;
		if (fd < 0) {
			if (q[1].revents)
				accept_tcp();
			continue;
		}
		if (!q[0].revents)
			continue;
		n = read(fd, buf + have, sizeof(buf) - have);
		if (n <= 0) {
			if (n < 0 && (errno == EINTR || errno == EAGAIN))
				continue;
			if (how == PTY && errno == EIO) {	/* nobody there */
				usleep(50000);
				continue;
			}
			if (how != TCP)
				break;
			note("tcp: client left");
			close(fd);
			fd = -1;
			have = 0;
			continue;
		}
		have += (int)n;
		n = eat(buf, have);
		memmove(buf, buf + n, have - n);
		have -= (int)n;
	}
	note("commands %llu, reports %llu in %llu events, duplicates filtered "
	     "%llu, lost on purpose %llu, extended not visible %llu, "
	     "masked %llu, commands refused %llu",
	     (unsigned long long)n_cmd, (unsigned long long)n_reports,
	     (unsigned long long)n_events, (unsigned long long)n_dup,
	     (unsigned long long)n_lost, (unsigned long long)n_hidden,
	     (unsigned long long)n_masked, (unsigned long long)n_refused);
	return 0;
}
