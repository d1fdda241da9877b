// The reference that Skerry is measured against; see reference.c.
#include <stddef.h>
#include <stdint.h>

struct reference_counts {
    uint64_t reports, ibeacons, identities;
};

// Decodes a btsnoop of datalink 1002 that lies in memory as a whole; 0 where the table of identities overflowed.
int reference_decode(const uint8_t *bytes, size_t length, struct reference_counts *counts);
// Seconds of processor time of this process.
double reference_cpu_time(void);
