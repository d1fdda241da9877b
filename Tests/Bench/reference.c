// The same work in C, by hand: LE advertising reports of a btsnoop (datalink 1002), legacy and extended; iBeacons; per
// identity a count, first and last time, lowest and highest RSSI. With -j the line of each iBeacon as Skerry writes it.
// It reads no other container, checks no more than memory safety needs, and knows neither regions nor distances.
//
//     gcc -O3 -march=native -o reference reference.c
//     reference FILE          counts
//     reference -j FILE       lines on standard output, counts on standard error
#include "reference.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CAPACITY (1u << 16)
#define EPOCH 0x00dcddb30f2f8000ull

struct entry {
    uint8_t key[20];
    uint64_t count, first, last;
    int8_t lowest, highest, power;
    uint8_t used;
};

static struct entry *table;
static struct reference_counts counts;
static int overflowed, writes;

static inline uint32_t be32(const uint8_t *p) { uint32_t x; memcpy(&x, p, 4); return __builtin_bswap32(x); }
static inline uint64_t be64(const uint8_t *p) { uint64_t x; memcpy(&x, p, 8); return __builtin_bswap64(x); }

// MARK: Lines

static char out[1 << 20];
static size_t filled;
static uint64_t sequence;
static char source[256];
static const char digits[] = "0123456789ABCDEF";

static void flush(void) {
    for (size_t done = 0; done < filled;) {
        ssize_t n = write(1, out + done, filled - done);
        if (n < 0) exit(1);
        done += n;
    }
    filled = 0;
}

static char *number(char *o, int64_t v) {
    char t[24];
    int i = 0;
    if (v < 0) { *o++ = '-'; v = -v; }
    do { t[i++] = '0' + v % 10; v /= 10; } while (v);
    while (i) *o++ = t[--i];
    return o;
}

static inline char *two(char *o, unsigned v) { *o++ = '0' + v / 10; *o++ = '0' + v % 10; return o; }

// Days to a date, after Howard Hinnant.
static void civil(int64_t z, int *y, unsigned *m, unsigned *d) {
    z += 719468;
    int64_t era = z / 146097;
    unsigned doe = z - era * 146097, yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    *y = yoe + era * 400;
    unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    *d = doy - (153 * mp + 2) / 5 + 1;
    *m = mp < 10 ? mp + 3 : mp - 9;
    *y += *m <= 2;
}

#define TEXT(x) (memcpy(o, x, sizeof(x) - 1), o += sizeof(x) - 1)

static void line(const uint8_t *a, const uint8_t *u, int8_t rssi, uint64_t ts) {
    static uint64_t known = ~0ull;
    static char date[48];
    if (filled > sizeof out - 1024) flush();
    char *o = out + filled;
    uint64_t us = ts - EPOCH, s = us / 1000000, f = us % 1000000, day = s / 86400, t = s % 86400;
    if (day != known) {
        int y; unsigned m, d;
        civil(day, &y, &m, &d);
        snprintf(date, sizeof date, "%04d-%02u-%02uT", y, m, d);
        known = day;
    }
    TEXT("{\"event\":\"advertisement\",\"time\":\"");
    memcpy(o, date, 11); o += 11;
    o = two(o, t / 3600); *o++ = ':'; o = two(o, t / 60 % 60); *o++ = ':'; o = two(o, t % 60);
    *o++ = '.'; o = two(o, f / 10000); o = two(o, f / 100 % 100); o = two(o, f % 100);
    TEXT("Z\",\"seq\":"); o = number(o, ++sequence);
    TEXT(",\"source\":\"");
    for (const char *c = source; *c; c++) *o++ = *c;
    TEXT("\",\"address\":\"");
    for (int i = 5; i >= 0; i--) { *o++ = digits[a[i] >> 4]; *o++ = digits[a[i] & 15]; if (i) *o++ = ':'; }
    TEXT("\",\"addressType\":\"");
    if (a[-1] & 1) TEXT("random"); else TEXT("public");
    TEXT("\",\"rssi\":"); o = number(o, rssi);
    TEXT(",\"pdu\":\"legacy\",\"beacon\":{\"format\":\"ibeacon\",\"uuid\":\"");
    for (int i = 0; i < 16; i++) {
        *o++ = digits[u[i] >> 4]; *o++ = digits[u[i] & 15];
        if (i == 3 || i == 5 || i == 7 || i == 9) *o++ = '-';
    }
    TEXT("\",\"major\":"); o = number(o, u[16] << 8 | u[17]);
    TEXT(",\"minor\":"); o = number(o, u[18] << 8 | u[19]);
    TEXT(",\"measuredPower\":"); o = number(o, (int8_t)u[20]);
    TEXT("}}\n");
    filled = o - out;
}

// MARK: Decoding

static inline void sighting(const uint8_t *a, const uint8_t *u, int8_t rssi, uint64_t ts) {
    counts.ibeacons++;
    uint64_t x, y; uint32_t z;
    memcpy(&x, u, 8); memcpy(&y, u + 8, 8); memcpy(&z, u + 16, 4);
    uint64_t h = x ^ (y * 0x9E3779B97F4A7C15ull) ^ ((uint64_t)z * 0xC2B2AE3D27D4EB4Full);
    h *= 0xff51afd7ed558ccdull;
    uint32_t i = (h >> 40) & (CAPACITY - 1);
    while (table[i].used && memcmp(table[i].key, u, 20)) i = (i + 1) & (CAPACITY - 1);
    struct entry *e = table + i;
    if (!e->used) {
        if (counts.identities * 2 >= CAPACITY) { overflowed = 1; return; }
        memcpy(e->key, u, 20);
        e->used = 1; e->first = ts; e->lowest = e->highest = rssi; e->power = (int8_t)u[20];
        counts.identities++;
    }
    e->count++; e->last = ts;
    if (rssi < e->lowest) e->lowest = rssi;
    if (rssi > e->highest) e->highest = rssi;
    if (writes) line(a, u, rssi, ts);
}

static inline void structures(const uint8_t *a, const uint8_t *d, unsigned n, int8_t rssi, uint64_t ts) {
    for (unsigned o = 0; o < n;) {
        unsigned l = d[o];
        if (!l || o + 1 + l > n) return;
        if (l >= 26 && d[o + 1] == 0xff) {
            uint32_t m; memcpy(&m, d + o + 2, 4);
            if (m == 0x1502004cu) sighting(a, d + o + 6, rssi, ts);
        }
        o += l + 1;
    }
}

// Returns where the first record begins that is not wholly there.
static size_t records(const uint8_t *p, size_t n, size_t o) {
    while (o + 24 <= n) {
        uint32_t il = be32(p + o + 4);
        uint64_t ts = be64(p + o + 16);
        const uint8_t *d = p + o + 24;
        if (il > n - o - 24) return o;
        o += 24 + il;
        if (il < 5 || d[0] != 4 || d[1] != 0x3e) continue;
        unsigned pl = d[2];
        if (pl + 3 > il) pl = il - 3;
        const uint8_t *e = d + 3;
        if (e[0] == 2) {
            for (unsigned k = e[1], q = 2; k; k--) {
                if (q + 9 > pl) break;
                unsigned dl = e[q + 8];
                if (q + 9 + dl + 1 > pl) break;
                counts.reports++;
                structures(e + q + 2, e + q + 9, dl, e[q + 9 + dl], ts);
                q += 10 + dl;
            }
        } else if (e[0] == 0x0d) {
            for (unsigned k = e[1], q = 2; k; k--) {
                if (q + 24 > pl) break;
                unsigned dl = e[q + 23];
                if (q + 24 + dl > pl) break;
                counts.reports++;
                structures(e + q + 3, e + q + 24, dl, e[q + 13], ts);
                q += 24 + dl;
            }
        }
    }
    return o;
}

int reference_decode(const uint8_t *bytes, size_t length, struct reference_counts *result) {
    table = calloc(CAPACITY, sizeof *table);
    memset(&counts, 0, sizeof counts);
    overflowed = 0;
    records(bytes, length, 16);
    free(table);
    *result = counts;
    return !overflowed;
}

double reference_cpu_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

#ifndef IN_MEMORY
int main(int count, char **words) {
    static uint8_t buffer[262144 + 70000];
    int at = 1;
    if (count > 1 && !strcmp(words[1], "-j")) { writes = 1; at++; }
    int fd = at < count ? open(words[at], O_RDONLY) : -1;
    if (fd < 0) { fputs("usage: reference [-j] FILE\n", stderr); return 64; }
    const char *slash = strrchr(words[at], '/');
    snprintf(source, sizeof source, "%s", slash ? slash + 1 : words[at]);
    table = calloc(CAPACITY, sizeof *table);
    size_t held = 0, o = 16;
    for (ssize_t n; (n = read(fd, buffer + held, 262144)) > 0; o = 0) {
        held += n;
        o = records(buffer, held, o);
        memmove(buffer, buffer + o, held - o);
        held -= o;
    }
    flush();
    fprintf(stderr, "reports=%llu ibeacons=%llu identities=%llu\n", (unsigned long long)counts.reports,
        (unsigned long long)counts.ibeacons, (unsigned long long)counts.identities);
    return overflowed ? 2 : 0;
}
#endif
