/*
 * hcirx - receive LE advertising reports through an HCI socket and count.
 *
 *   hcirx [-d DEV] [-u] [-e] [-l] [-a] [-f] [-n] [-q] [-m] [-s] [-p]
 *         [-t SECONDS] [-r RCVBUF] [-w USEC] [-c N]
 *
 * -u HCI_CHANNEL_USER instead of RAW; -e extended scan commands; -l (with -e)
 * scan on the coded PHY too; -a active;
 * -f controller filters duplicates; -n set no HCI filter; -w wait so long
 * after every packet (slow reader); -c stop after N reports; -p print each;
 * -q do not send scan commands (listen only); -m set no event masks (-u).
 *
 * With hcisim --seq the iBeacon major/minor hold a running number and hcirx -s
 * tells how many were lost.   Build: cc -O2 -static -o hcirx hcirx.c
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define BTPROTO_HCI 1
#define SOL_HCI 0
#define HCI_DATA_DIR 1
#define HCI_FILTER 2
#define HCI_TIME_STAMP 3

struct sockaddr_hci { uint16_t family, dev, channel; };
struct hci_filter { uint32_t types; uint32_t events[2]; uint16_t opcode; };

static int s;
static bool coded;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void fail(const char *what)
{
	printf("%s: %s (%d)\n", what, strerror(errno), errno);
	exit(1);
}

static int command(uint16_t op, const void *par, int len)
{
	uint8_t b[260] = { 1, (uint8_t)op, (uint8_t)(op >> 8), (uint8_t)len };
	double end = now() + 2;

	memcpy(b + 4, par, len);
	if (write(s, b, 4 + len) != 4 + len)
		fail("write");
	while (now() < end) {
		struct pollfd q = { s, POLLIN, 0 };
		ssize_t n;

		if (poll(&q, 1, 200) <= 0)
			continue;
		n = read(s, b, sizeof(b));
		if (n >= 7 && b[0] == 4 && b[1] == 0x0e &&
		    (b[4] | b[5] << 8) == op) {
			if (b[6])
				printf("command 0x%04x: status 0x%02x\n", op, b[6]);
			return b[6];
		}
	}
	printf("command 0x%04x: no answer\n", op);
	return -1;
}

static void scan(bool on, bool ext, bool active, bool dup)
{
	if (ext) {
		uint8_t p[] = { 0, 0, coded ? 5 : 1, active, 0x10, 0, 0x10, 0,
				active, 0x10, 0, 0x10, 0 };
		uint8_t e[] = { on, dup, 0, 0, 0, 0 };

		if (on)
			command(0x2041, p, coded ? 13 : 8);
		command(0x2042, e, sizeof(e));
	} else {
		uint8_t p[] = { active, 0x10, 0, 0x10, 0, 0, 0 };
		uint8_t e[] = { on, dup };

		if (on)
			command(0x200b, p, sizeof(p));
		command(0x200c, e, sizeof(e));
	}
}

int main(int argc, char **argv)
{
	struct sockaddr_hci a = { .family = AF_BLUETOOTH };
	struct hci_filter f = { 1 << 4, { (1u << 0x0e) | (1u << 0x0f),
					  1u << (0x3e - 32) }, 0 };
	bool user = false, ext = false, active = false, dup = false;
	bool nofilter = false, print = false, quiet = false, nomask = false, seq = false;
	double secs = 3, t0, t1 = 0;
	long wait = 0, max = -1, got = 0, pkts = 0, lost = 0, other = 0;
	int rcv = 0, c, rsl = sizeof(rcv);
	int64_t last = -1;
	struct rusage ru;

	while ((c = getopt(argc, argv, "d:uelafnqmst:r:w:c:p")) > 0) {
		switch (c) {
		case 'd': a.dev = atoi(optarg); break;
		case 'u': user = true; break;
		case 'e': ext = true; break;
		case 'l': coded = true; break;
		case 'a': active = true; break;
		case 'f': dup = true; break;
		case 'n': nofilter = true; break;
		case 'q': quiet = true; break;
		case 'm': nomask = true; break;
		case 's': seq = true; break;
		case 't': secs = atof(optarg); break;
		case 'r': rcv = atoi(optarg); break;
		case 'w': wait = atol(optarg); break;
		case 'c': max = atol(optarg); break;
		case 'p': print = true; break;
		default: return 2;
		}
	}
	s = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI);
	if (s < 0)
		fail("socket");
	a.channel = user ? 1 : 0;
	if (bind(s, (struct sockaddr *)&a, sizeof(a)))
		fail(user ? "bind USER" : "bind RAW");
	if (rcv && setsockopt(s, SOL_SOCKET, SO_RCVBUF, &rcv, sizeof(rcv)))
		fail("SO_RCVBUF");
	getsockopt(s, SOL_SOCKET, SO_RCVBUF, &rcv, (socklen_t *)&rsl);
	if (!nofilter && !user && setsockopt(s, SOL_HCI, HCI_FILTER, &f, sizeof(f)))
		fail("HCI_FILTER");
	if (user) {
		static const uint8_t m[8] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f };
		static const uint8_t lm[8] = { 0x02, 0x10 };

		command(0x0c03, NULL, 0);
		if (!nomask)
			command(0x0c01, m, 8);
		if (!nomask)
			command(0x2001, lm, 8);
	}
	if (!quiet)
		scan(true, ext, active, dup);
	t0 = now();
	while (now() - t0 < secs && (max < 0 || got < max)) {
		struct pollfd q = { s, POLLIN, 0 };
		uint8_t b[512];
		ssize_t n;

		if (poll(&q, 1, 100) <= 0)
			continue;
		n = read(s, b, sizeof(b));
		if (n <= 0) {
			printf("read: %s\n", n ? strerror(errno) : "end");
			if (n < 0 && errno == ENOBUFS)
				continue;
			break;
		}
		if (n < 5 || b[0] != 4 || b[1] != 0x3e ||
		    (b[3] != 0x02 && b[3] != 0x0d)) {
			other++;
			continue;
		}
		pkts++;
		t1 = now();
		int num = b[4], i = 5;

		while (num-- > 0) {
			int fix = b[3] == 2 ? 9 : 24, len, rssi;
			uint8_t *d;

			if (i + fix > n)
				break;
			len = b[i + fix - 1];
			d = b + i + fix;
			if (i + fix + len + (b[3] == 2) > n)
				break;
			rssi = (int8_t)(b[3] == 2 ? d[len] : b[i + 13]);
			got++;
			if (len >= 30 && d[5] == 0x4c) {
				int64_t q = (int64_t)d[25] << 24 | d[26] << 16 |
					    d[27] << 8 | d[28];
				if (seq && last >= 0 && q > last + 1)
					lost += q - last - 1;
				last = q;
				if (print)
					printf("%.3f %s rssi %d seq/major.minor %lld\n",
					       t1 - t0, b[3] == 2 ? "legacy" : "ext",
					       rssi, (long long)q);
			} else if (print) {
				printf("%.3f %s rssi %d len %d\n", t1 - t0,
				       b[3] == 2 ? "legacy" : "ext", rssi, len);
			}
			i += fix + len + (b[3] == 2);
		}
		if (wait)
			usleep(wait);
	}
	if (!quiet)
		scan(false, ext, active, dup);
	getrusage(RUSAGE_SELF, &ru);
	printf("%s %s rcvbuf %d: %ld reports in %ld packets, %ld other, "
	       "lost by number %ld, %.0f/s, cpu %.2f s of %.2f s\n",
	       user ? "USER" : "RAW", ext ? "ext" : "legacy", rcv, got, pkts,
	       other, lost, t1 > t0 ? got / (t1 - t0) : 0,
	       ru.ru_utime.tv_sec + ru.ru_stime.tv_sec +
	       (ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) / 1e6, now() - t0);
	return 0;
}
