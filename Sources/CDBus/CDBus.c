#define _GNU_SOURCE
#include "CDBus.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>
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

// libdbus's call of connect(2) waits where a bus has too many callers that it did not accept yet, for ever where it accepts
// none. libdbus takes no socket that is connected already, has no address for one, and to look first whether there is room
// would take the room. But it does not call again when a signal interrupts it; so a timer sends one to this thread until it
// is done. Nothing waits for other reasons: only addresses of Unix sockets come here.

// Milliseconds; a bus that accepts callers takes less than one.
static const long patience = 20;

static volatile sig_atomic_t interruptions;

static void interrupt(int signal) {
    (void)signal;
    interruptions = 1;
}

DBusConnection *dbus_connection_open_at_once(const char *address, DBusError *error) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM};
    event._sigev_un._tid = gettid();
    // Without SA_RESTART. Again and again: one that comes just before the call would interrupt nothing.
    struct sigaction action = {.sa_handler = interrupt}, before;
    struct itimerspec span = {{0, patience * 1000000}, {0, patience * 1000000}};
    sigset_t alarms, blocked;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) {
        dbus_set_error_const(error, "org.freedesktop.DBus.Error.NoMemory", "no timer can be had");
        return NULL;
    }
    sigaction(SIGALRM, &action, &before);
    pthread_sigmask(SIG_UNBLOCK, &alarms, &blocked);
    interruptions = 0;
    timer_settime(timer, 0, &span, NULL);
    DBusConnection *connection = dbus_connection_open_private(address, error);
    timer_delete(timer);
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
    sigaction(SIGALRM, &before, NULL);
    if (!connection && interruptions) {
        dbus_error_free(error);
        dbus_set_error_const(error, "org.freedesktop.DBus.Error.Timeout", "it accepts no callers");
    }
    return connection;
}
