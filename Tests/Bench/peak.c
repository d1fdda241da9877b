// Runs a program and prints the most memory it held, in KiB: VmHWM, then the most anonymous memory.
//
// VmHWM is the kernel's own high-water mark, read when the program is about to exit. For anonymous memory there is no such
// mark, so it is read (Anonymous in smaps_rollup, which counts pages one by one) at every system call, on entry and on
// return: it grows by touching pages, but falls only in a system call, so its highest point is just before one.
//
//     gcc -O2 -o peak peak.c
//     peak PROGRAM ARGUMENT...
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static long field(int fd, const char *name) {
    char text[8192];
    ssize_t n = pread(fd, text, sizeof text - 1, 0);
    if (n < 0) return -1;
    text[n] = 0;
    char *found = strstr(text, name);
    return found ? atol(found + strlen(name)) : -1;
}

static int open_proc(pid_t pid, const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    return open(path, O_RDONLY);
}

int main(int count, char **words) {
    if (count < 2) { fputs("usage: peak PROGRAM ARGUMENT...\n", stderr); return 64; }
    pid_t pid = fork();
    if (pid == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        dup2(open("/dev/null", O_WRONLY), 1);
        execv(words[1], words + 1);
        _exit(127);
    }
    int status;
    if (waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status)) { fputs("peak: cannot trace\n", stderr); return 1; }
    ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL);
    int rollup = open_proc(pid, "smaps_rollup"), state = open_proc(pid, "status");
    long mark = -1, anonymous = -1;
    for (int signal = 0;;) {
        if (ptrace(PTRACE_SYSCALL, pid, 0, signal) < 0 || waitpid(pid, &status, 0) < 0) return 1;
        if (WIFEXITED(status) || WIFSIGNALED(status)) break;
        signal = WSTOPSIG(status);
        if (signal == (SIGTRAP | 0x80) || signal == SIGTRAP) {
            long now = field(rollup, "Anonymous:");
            if (now > anonymous) anonymous = now;
            if (status >> 16 == PTRACE_EVENT_EXIT) mark = field(state, "VmHWM:");
            signal = 0;
        }
    }
    printf("%ld %ld\n", mark, anonymous);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
