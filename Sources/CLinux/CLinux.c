#include "CLinux.h"

#include <sys/timex.h>
#include <sys/xattr.h>

int linux_clock_is_synchronised(void) {
    struct timex state = {.modes = 0};
    int result = adjtimex(&state);
    if (result < 0) return -1;
    return result != TIME_ERROR && !(state.status & STA_UNSYNC);
}

long linux_file_capabilities(unsigned char *bytes, unsigned long room) {
    return getxattr("/proc/self/exe", "security.capability", bytes, room);
}
