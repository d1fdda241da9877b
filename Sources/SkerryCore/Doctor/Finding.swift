/// What `skerry doctor` found out about one thing.
public struct Finding: Equatable, Sendable {
    /// What it concerns.
    public enum Topic: String, Sendable {
        /// A Bluetooth adapter, or that there is none.
        case adapter
        /// Whether Bluetooth is blocked.
        case rfkill
        /// What this program may do.
        case capabilities
        /// BlueZ's daemon.
        case bluetoothd
        /// Other programs that use the adapters.
        case scanners
        /// What knows the place.
        case gpsd
        /// The time.
        case clock
    }

    /// How bad it is.
    public enum Level: String, Sendable {
        /// As it should be.
        case ok
        /// Worth knowing; scanning works all the same.
        case note
        /// Scanning lacks this.
        case problem
    }

    /// What it concerns.
    public let topic: Topic
    /// How bad it is.
    public let level: Level
    /// A sentence for people, without a full stop.
    public let message: String
    /// The command, or what else, that changes it; `nil` where there is nothing to do.
    public let fix: String?

    init(_ topic: Topic, _ level: Level, _ message: String, fix: String? = nil) {
        self.topic = topic
        self.level = level
        self.message = message
        self.fix = fix
    }
}
