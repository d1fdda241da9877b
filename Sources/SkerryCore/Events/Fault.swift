/// Something of the outside world that went wrong.
public struct Fault: Sendable {
    /// What it concerns.
    public enum Domain: String, Sendable {
        /// Reading a capture.
        case capture
        /// Reading what gpsd says, or a log of a receiver.
        case gps
        /// Where the device is.
        case location
        /// Where it points.
        case heading
        /// Hearing advertisements.
        case scanner
        /// What is monitored.
        case region
    }

    /// A word for programs. Where Core Location has one, it is that.
    public enum Name: String, Sendable {
        /// A part of it was passed over.
        case damaged
        /// It ends in the middle of a record.
        case cut
        /// It can't be read any further.
        case unreadable
        /// It can't be written at the moment.
        case unwritable
        /// Its times are far from those of the captures.
        case clockMismatch
        /// It tells no time, so nothing of it has a place among the events.
        case timeUnknown
        /// No receiver knows the place at the moment.
        case locationUnknown
        /// What it is to come from can't be reached at the moment.
        case network
        /// Nothing is there that could hear beacons.
        case rangingUnavailable
        /// Something magnetic disturbs the compass.
        case headingFailure
        /// The compass says that its headings are not to be used.
        case calibrationNeeded
        /// The states of the regions could not be kept for the next run.
        case stateNotSaved
    }

    /// What it concerns.
    public var domain: Domain
    /// What happened.
    public var name: Name
    /// A sentence for people.
    public var message: String
    /// Whether the stream goes on.
    public var isRecoverable: Bool

    /// Something that went wrong.
    public init(domain: Domain, name: Name, message: String, isRecoverable: Bool) {
        self.domain = domain
        self.name = name
        self.message = message
        self.isRecoverable = isRecoverable
    }

    /// The number that Core Location has for it (CLError.Code); `nil` where it has none.
    public var code: Int? {
        switch name {
        case .locationUnknown: 0
        case .network: 2
        case .headingFailure: 3
        case .rangingUnavailable: 16
        case .damaged, .cut, .unreadable, .unwritable, .clockMismatch, .timeUnknown, .calibrationNeeded, .stateNotSaved:
            nil
        }
    }
}

extension Fault {
    /// No receiver knows the place at the moment; the next fix ends it.
    static let locationUnknown = Fault(
        domain: .location, name: .locationUnknown, message: "no receiver knows the place at the moment",
        isRecoverable: true)

    /// There is no Bluetooth adapter yet.
    public static let noAdapter = Fault(
        domain: .scanner, name: .rangingUnavailable,
        message: "there is no Bluetooth adapter; the scan begins when one is plugged in", isRecoverable: true)

    /// The file that keeps the states of the regions could not be written.
    public init(stateNotSaved path: String, _ reason: String) {
        domain = .region
        name = .stateNotSaved
        message = "\(path): \(reason); the states of the regions are not kept"
        isRecoverable = true
    }

    /// A compass needs calibration, or something magnetic to be taken away.
    init(_ cause: Compass.CalibrationCause) {
        domain = .heading
        isRecoverable = true
        switch cause {
        case .invalidHeading:
            name = .calibrationNeeded
            message =
                "the compass says that its headings are not to be used; turn it about to calibrate it, "
                + "or move until it is aligned"
        case .implausibleField(let total):
            name = .headingFailure
            message = "a field of \(Int(total.rounded())) microtesla is not the Earth's; something magnetic is near"
        }
    }
}
