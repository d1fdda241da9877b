#include "check.h"

#include <setjmp.h>
#include <string.h>

static const uint8_t *at, *end;
static jmp_buf failed;
static const char *reason;

static void fail(const char *what) {
    reason = what;
    longjmp(failed, 1);
}

static uint8_t next(void) {
    if (at == end) fail("a line is cut");
    return *at;
}

static void expect(const char *text) {
    for (; *text; text++, at++)
        if (next() != (uint8_t)*text) fail("not JSON");
}

static void string(void) {
    expect("\"");
    while (next() != '"') {
        if (*at < 0x20) fail("a control character in a string");
        if (*at++ == '\\' && !strchr("\"\\/bfnrtu", next())) fail("an escape that JSON does not have");
        else if (at[-1] == '\\') at++;
    }
    at++;
}

static void digits(void) {
    if (next() < '0' || *at > '9') fail("not JSON");
    while (next() >= '0' && *at <= '9') at++;
}

static void number(void) {
    if (next() == '-') at++;
    const uint8_t *first = at;
    digits();
    if (at - first > 1 && *first == '0') fail("a number that begins with 0");
    if (next() != '.') return;
    at++;
    digits();
}

static void value(void);

static void list(char close, int named) {
    at++;
    if (next() == (uint8_t)close) { at++; return; }
    for (;; at++) {
        if (named) { string(); expect(":"); }
        value();
        if (next() != ',') break;
    }
    if (*at != (uint8_t)close) fail("not JSON");
    at++;
}

static void value(void) {
    switch (next()) {
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
    const uint8_t *found = memmem(line, at - line, "\"seq\":", 6);
    uint64_t number = 0;
    if (!found) fail("no seq");
    for (found += 6; *found >= '0' && *found <= '9'; found++) number = number * 10 + (*found - '0');
    if (number != wanted) fail("seq does not count up");
}

const char *check_lines(const uint8_t *bytes, size_t length, int sequenced) {
    at = bytes;
    end = bytes + length;
    if (setjmp(failed)) return reason;
    for (uint64_t count = 1; at < end; count++) {
        const uint8_t *line = at;
        if (next() != '{') fail("a line is no object");
        value();
        expect("\n");
        if (sequenced) sequence(line, count);
    }
    return 0;
}
