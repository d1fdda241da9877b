#include "check.h"

#include <setjmp.h>
#include <string.h>

// The last byte is a line feed, which stands nowhere within an object: every loop and every comparison ends at it, and
// none need ask where the bytes end.
static const uint8_t *at;
static jmp_buf failed;
static const char *reason;

// What stands for itself in a string.
static const uint8_t plain[256] = {[0x20 ... 0x21] = 1, [0x23 ... 0x5B] = 1, [0x5D ... 0xFF] = 1};

static void fail(const char *what) {
    reason = what;
    longjmp(failed, 1);
}

static void expect(const char *text) {
    for (; *text; text++, at++)
        if (*at != (uint8_t)*text) fail("not JSON");
}

static void string(void) {
    expect("\"");
    for (;; at += 2) {
        while (plain[*at]) at++;
        if (*at == '"') break;
        if (*at != '\\') fail("a control character in a string");
        if (!memchr("\"\\/bfnrtu", at[1], 9)) fail("an escape that JSON does not have");
    }
    at++;
}

static int is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

static void digits(void) {
    if (!is_digit(*at)) fail("not JSON");
    while (is_digit(*at)) at++;
}

static void number(void) {
    if (*at == '-') at++;
    const uint8_t *first = at;
    digits();
    if (at - first > 1 && *first == '0') fail("a number that begins with 0");
    if (*at != '.') return;
    at++;
    digits();
}

static void value(void);

static void list(char close, int named) {
    at++;
    if (*at == (uint8_t)close) { at++; return; }
    for (;; at++) {
        if (named) { string(); expect(":"); }
        value();
        if (*at != ',') break;
    }
    if (*at != (uint8_t)close) fail("not JSON");
    at++;
}

static void value(void) {
    switch (*at) {
    case '{': list('}', 1); break;
    case '[': list(']', 0); break;
    case '"': string(); break;
    case 't': expect("true"); break;
    case 'f': expect("false"); break;
    case 'n': expect("null"); break;
    default: number();
    }
}

// Nothing that an input could choose stands before it.
static void sequence(const uint8_t *line, uint64_t wanted) {
    const uint8_t *found = line;
    uint64_t number = 0;
    for (;; found++) {
        if (at - found < 6) fail("no seq");
        if (!memcmp(found, "\"seq\":", 6)) break;  // inlined; memmem would be libFuzzer's, which learns from it
    }
    for (found += 6; is_digit(*found); found++) number = number * 10 + (*found - '0');
    if (number != wanted) fail("seq does not count up");
}

const char *check_lines(const uint8_t *bytes, size_t length, int sequenced) {
    const uint8_t *end = bytes + length;
    if (length > 0 && end[-1] != '\n') return "the last line is cut";
    at = bytes;
    if (setjmp(failed)) return reason;
    for (uint64_t count = 1; at < end; count++) {
        const uint8_t *line = at;
        if (*at != '{') fail("a line is no object");
        value();
        expect("\n");
        if (sequenced) sequence(line, count);
    }
    return 0;
}
