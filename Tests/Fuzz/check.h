#include <stddef.h>
#include <stdint.h>

// Whether bytes are JSON objects, one a line, with "seq" counting up from 1 where `sequenced`; NULL where they are, else
// what is wrong. Compiled without instrumentation, so that checking is fast and does not count as coverage.
const char *check_lines(const uint8_t *bytes, size_t length, int sequenced);
