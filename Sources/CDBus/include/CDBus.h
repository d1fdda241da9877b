// What is used of libdbus-1 (D-Bus reference library, https://dbus.freedesktop.org/doc/api/html/). Its own headers lie in
// folders that the compiler does not search, one of them named after the machine; these declarations are part of an ABI that
// has not changed since 2006 (libdbus-1.so.3). A test compiles them together with the originals.

#ifndef CDBUS_H
#define CDBUS_H

#include <stdint.h>

#ifndef DBUS_H

typedef struct DBusConnection DBusConnection;
typedef struct DBusMessage DBusMessage;
typedef uint32_t dbus_bool_t;

typedef struct DBusError {
    const char *name;
    const char *message;
    unsigned int flags;
    void *padding;
} DBusError;

// Lives on the stack of its user; libdbus fills it.
typedef struct DBusMessageIter {
    void *pointers[2];
    uint32_t number;
    int numbers[9];
    void *more[2];
} DBusMessageIter;

#endif

// Connections.
DBusConnection *dbus_connection_open_private(const char *address, DBusError *error);
// The same, but fails where the bus has too many callers that it did not accept yet. Not libdbus's.
DBusConnection *dbus_connection_open_at_once(const char *address, DBusError *error);
void dbus_connection_close(DBusConnection *connection);
void dbus_connection_unref(DBusConnection *connection);
void dbus_connection_set_exit_on_disconnect(DBusConnection *connection, dbus_bool_t exit_on_disconnect);
void dbus_connection_set_change_sigpipe(dbus_bool_t will_modify_sigpipe);
void dbus_connection_set_max_message_size(DBusConnection *connection, long size);
void dbus_connection_set_max_message_unix_fds(DBusConnection *connection, long count);
dbus_bool_t dbus_connection_get_unix_fd(DBusConnection *connection, int *fd);
dbus_bool_t dbus_connection_get_is_connected(DBusConnection *connection);
dbus_bool_t dbus_connection_get_is_authenticated(DBusConnection *connection);
dbus_bool_t dbus_connection_has_messages_to_send(DBusConnection *connection);
dbus_bool_t dbus_connection_read_write(DBusConnection *connection, int timeout_milliseconds);
DBusMessage *dbus_connection_pop_message(DBusConnection *connection);
dbus_bool_t dbus_connection_send(DBusConnection *connection, DBusMessage *message, uint32_t *serial);

// Errors.
void dbus_error_init(DBusError *error);
void dbus_error_free(DBusError *error);
void dbus_set_error_const(DBusError *error, const char *name, const char *message);

// Messages.
DBusMessage *dbus_message_new_method_call(
    const char *destination, const char *path, const char *interface, const char *method);
DBusMessage *dbus_message_new_method_return(DBusMessage *call);
DBusMessage *dbus_message_new_error(DBusMessage *call, const char *name, const char *text);
DBusMessage *dbus_message_new_signal(const char *path, const char *interface, const char *name);
void dbus_message_unref(DBusMessage *message);
int dbus_message_get_type(DBusMessage *message);
uint32_t dbus_message_get_reply_serial(DBusMessage *message);
dbus_bool_t dbus_message_get_no_reply(DBusMessage *message);
const char *dbus_message_get_sender(DBusMessage *message);
const char *dbus_message_get_path(DBusMessage *message);
const char *dbus_message_get_interface(DBusMessage *message);
const char *dbus_message_get_member(DBusMessage *message);
const char *dbus_message_get_error_name(DBusMessage *message);
dbus_bool_t dbus_message_set_destination(DBusMessage *message, const char *destination);

// What stands in messages.
dbus_bool_t dbus_message_iter_init(DBusMessage *message, DBusMessageIter *iter);
int dbus_message_iter_get_arg_type(DBusMessageIter *iter);
int dbus_message_iter_get_element_type(DBusMessageIter *iter);
char *dbus_message_iter_get_signature(DBusMessageIter *iter);
void dbus_free(void *memory);
dbus_bool_t dbus_message_iter_next(DBusMessageIter *iter);
void dbus_message_iter_recurse(DBusMessageIter *iter, DBusMessageIter *sub);
void dbus_message_iter_get_basic(DBusMessageIter *iter, void *value);
void dbus_message_iter_get_fixed_array(DBusMessageIter *iter, void *value, int *n_elements);
void dbus_message_iter_init_append(DBusMessage *message, DBusMessageIter *iter);
dbus_bool_t dbus_message_iter_append_basic(DBusMessageIter *iter, int type, const void *value);
dbus_bool_t dbus_message_iter_open_container(
    DBusMessageIter *iter, int type, const char *contained_signature, DBusMessageIter *sub);
dbus_bool_t dbus_message_iter_close_container(DBusMessageIter *iter, DBusMessageIter *sub);

#endif
