// The references that Skerry is measured against; see reference.c and checked.c.
#include <stddef.h>
#include <stdint.h>

struct reference_counts {
    uint64_t reports, ibeacons, identities;
};

// Decodes a btsnoop of datalink 1002 that lies in memory as a whole; 0 where the table of identities overflowed.
int reference_decode(const uint8_t *bytes, size_t length, struct reference_counts *counts);
// Decodes the same with every length checked; 0 where something was malformed.
int checked_decode(const uint8_t *bytes, size_t length, uint64_t seed, struct reference_counts *counts);
// Seconds of processor time of this process.
double reference_cpu_time(void);
