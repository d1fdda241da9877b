#include "CDBus.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// libdbus asks for two functions of libsystemd, and with it for a dozen libraries, for servers that systemd starts. The
// connections made here are a client's, so nobody starts it with sockets.

int sd_listen_fds(int unset_environment) {
    (void)unset_environment;
    return 0;
}

int sd_is_socket(int fd, int family, int type, int listening) {
    (void)fd, (void)family, (void)type, (void)listening;
    return 0;
}

// libdbus waits where a bus has too many callers that it did not accept yet, for ever where it accepts none, and takes no
// socket that is connected already; to look first whether there is room would take the room. So its call of connect(2) ends
// up here, where a Unix socket fails with EAGAIN instead, and only for who has asked for that.
static _Thread_local int waits_for_nobody;

int connect(int socket, const struct sockaddr *address, socklen_t length) {
    int flags = waits_for_nobody && address->sa_family == AF_UNIX ? fcntl(socket, F_GETFL) : -1;
    if (flags >= 0) fcntl(socket, F_SETFL, flags | O_NONBLOCK);
    int result = (int)syscall(SYS_connect, socket, address, length);
    int error = errno;
    if (flags >= 0) fcntl(socket, F_SETFL, flags);
    errno = error;
    return result;
}

DBusConnection *dbus_connection_open_at_once(const char *address, DBusError *error) {
    waits_for_nobody = 1;
    DBusConnection *connection = dbus_connection_open_private(address, error);
    waits_for_nobody = 0;
    return connection;
}
