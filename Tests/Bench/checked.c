// Decoding and table in C as it would be written for other people's captures, where reference.c checks no more than
// memory safety needs: every length against what holds it, what does not fit counted, three datalinks, a seeded table
// that grows, and of each identity a running average of its level besides its range and latest time.
#include "reference.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    uint64_t high, low;  // UUID, big endian
    uint32_t numbers;    // major << 16 | minor
    uint32_t count;      // 0: free
    uint64_t latest;
    double level;
    int8_t lowest, highest, power;
};

struct table {
    struct entry *entries;
    size_t mask, used;
    uint64_t seed;
};

struct decoder {
    struct table table;
    struct reference_counts counts;
    uint64_t malformed;
};

static inline uint32_t be32(const uint8_t *p) { uint32_t x; memcpy(&x, p, 4); return __builtin_bswap32(x); }
static inline uint64_t be64(const uint8_t *p) { uint64_t x; memcpy(&x, p, 8); return __builtin_bswap64(x); }

// Halves of a 128-bit product folded, after wyhash.
static inline uint64_t fold(uint64_t a, uint64_t b) {
    __uint128_t product = (__uint128_t)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline size_t home(const struct table *t, uint64_t high, uint64_t low, uint32_t numbers) {
    return fold(fold(high ^ t->seed ^ 0xA0761D6478BD642Full, low ^ 0xE7037ED1A0B428DBull), numbers ^ 0x8EBC6AF09C88C6E3ull)
        & t->mask;
}

static void grow(struct table *t) {
    struct entry *old = t->entries;
    size_t count = t->mask + 1;
    t->mask = 2 * count - 1;
    t->entries = calloc(2 * count, sizeof *old);
    for (size_t i = 0; i < count; i++) {
        if (!old[i].count) continue;
        size_t place = home(t, old[i].high, old[i].low, old[i].numbers);
        while (t->entries[place].count) place = (place + 1) & t->mask;
        t->entries[place] = old[i];
    }
    free(old);
}

static inline struct entry *find(struct table *t, uint64_t high, uint64_t low, uint32_t numbers) {
    for (;;) {
        size_t place = home(t, high, low, numbers);
        struct entry *e = &t->entries[place];
        while (e->count && (e->low != low || e->numbers != numbers || e->high != high)) {
            place = (place + 1) & t->mask;
            e = &t->entries[place];
        }
        if (e->count) return e;
        if (t->used * 2 < t->mask) {
            t->used++;
            e->high = high; e->low = low; e->numbers = numbers;
            return e;
        }
        grow(t);
    }
}

static inline void structures(struct decoder *d, const uint8_t *p, size_t n, int8_t rssi, uint64_t time) {
    while (n > 0) {
        size_t length = p[0];
        if (length == 0) return;
        if (length > n - 1) { d->malformed++; return; }
        if (p[1] == 0xFF && length >= 26 && be32(p + 2) == 0x4C000215) {
            struct entry *e = find(&d->table, be64(p + 6), be64(p + 14), be32(p + 22));
            d->counts.ibeacons++;
            if (e->count++ == 0) {
                e->level = rssi;
                e->lowest = e->highest = rssi;
            } else {
                e->level += 0.25 * (rssi - e->level);
                if (rssi < e->lowest) e->lowest = rssi;
                if (rssi > e->highest) e->highest = rssi;
            }
            e->power = (int8_t)p[26];
            e->latest = time;
        }
        p += length + 1;
        n -= length + 1;
    }
}

// Reports of one layout: with head and tail known, each call becomes a loop of its own.
static inline __attribute__((always_inline)) void reports(
    struct decoder *d, const uint8_t *p, const uint8_t *end, unsigned left, size_t head, size_t tail, uint64_t time) {
    for (; left; left--) {
        if ((size_t)(end - p) < head + tail) { d->malformed++; return; }
        size_t count = p[head - 1];
        if ((size_t)(end - p) < head + tail + count) { d->malformed++; return; }
        d->counts.reports++;
        structures(d, p + head, count, (int8_t)(tail ? p[head + count] : p[13]), time);
        p += head + count + tail;
    }
}

static inline void event(struct decoder *d, const uint8_t *p, size_t n, uint64_t time) {
    if (n < 4 || p[0] != 0x3E) return;
    size_t length = p[1];
    if (length > n - 2) { d->malformed++; return; }
    const uint8_t *end = p + 2 + length;
    switch (p[2]) {
    case 0x02: reports(d, p + 4, end, p[3], 9, 1, time); break;
    case 0x0D: reports(d, p + 4, end, p[3], 24, 0, time); break;
    }
}

int checked_decode(const uint8_t *bytes, size_t length, uint64_t seed, struct reference_counts *result) {
    struct decoder d = {.table = {calloc(64, sizeof(struct entry)), 63, 0, seed}};
    if (length < 16 || memcmp(bytes, "btsnoop", 8) || be32(bytes + 8) != 1) return 0;
    uint32_t datalink = be32(bytes + 12);
    for (size_t at = 16; length - at >= 24;) {
        const uint8_t *record = bytes + at, *packet = record + 24;
        size_t count = be32(record + 4);
        uint32_t flags = be32(record + 8);
        if (count > length - at - 24) { d.malformed++; break; }
        uint64_t time = be64(record + 16);
        switch (datalink) {
        case 1001: if ((flags & 3) == 3) event(&d, packet, count, time); break;
        case 1002: if (count && packet[0] == 0x04) event(&d, packet + 1, count - 1, time); break;
        case 2001: if ((flags & 0xFFFF) == 3) event(&d, packet, count, time); break;
        }
        at += 24 + count;
    }
    d.counts.identities = d.table.used;
    *result = d.counts;
    free(d.table.entries);
    return d.malformed == 0;
}
