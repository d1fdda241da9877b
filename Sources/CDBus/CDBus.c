// libdbus asks for two functions of libsystemd, and with it for a dozen libraries, for servers that systemd starts. The
// connections made here are a client's, so nobody starts it with sockets.

#include "CDBus.h"

int sd_listen_fds(int unset_environment) {
    (void)unset_environment;
    return 0;
}

int sd_is_socket(int fd, int family, int type, int listening) {
    (void)fd, (void)family, (void)type, (void)listening;
    return 0;
}
