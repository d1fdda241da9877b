/// What went wrong with the bus or a call.
struct DBusFailure: Error, Equatable, Sendable {
    /// The error's name, such as `org.freedesktop.DBus.Error.AccessDenied`.
    let name: String
    /// A sentence for people.
    let message: String

    /// Whether it may be otherwise in a while: no bus is there yet, rather than that it refuses us or can't be.
    var mayPass: Bool { !isPermission && name != "org.freedesktop.DBus.Error.BadAddress" }

    /// Whether the bus, or its policy, refuses permission.
    var isPermission: Bool { name == "org.freedesktop.DBus.Error.AccessDenied" }
}
