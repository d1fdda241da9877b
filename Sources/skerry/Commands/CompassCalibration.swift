import SkerryCore
import SkerryIO

/// `skerry calibrate --compass`: what of a magnetometer's field is not the Earth's.
struct CompassCalibration {
    /// How the compass was turned.
    let turning: HardIron.Turning
    private var readings: [CompassReading] = []
    private var devices: Set<String> = []
    private var lastFix: Fix?

    /// More than an hour of turning; what comes beyond is left out.
    private static let mostReadings = 100_000
    /// What a configuration file takes.
    private static let greatestOffset = 1e9
    private static let greatestFactor = 1e6

    private init(_ turning: HardIron.Turning) { self.turning = turning }

    /// Reads a log and says what to set.
    static func run(_ path: String, turned turning: HardIron.Turning) -> ExitCode {
        var calibration = CompassCalibration(turning)
        do throws(InputError) {
            Main.sayWhetherTerminalIsRead([path])
            let input = try GPSLogInput(path: path)
            try calibration.read(input, try input.recognise(name: path))
        } catch {
            return Signals.endRequested ? .success : Main.fail(error)
        }
        guard calibration.devices.count <= 1 else {
            let names = calibration.devices.sorted().joined(separator: ", ")
            return Main.fail(.unusableData, "\(path): several compasses (\(names)): leave the lines of one")
        }
        do throws(HardIron.Refusal) {
            let iron = try HardIron(calibration.readings, turned: turning)
            guard max(abs(iron.offset.x), abs(iron.offset.y), abs(iron.offset.z)) <= greatestOffset else {
                return Main.fail(.unusableData, "\(path): such large numbers are no magnetometer's")
            }
            return Main.show(calibration.lines(iron))
        } catch {
            return Main.fail(.unusableData, "\(path): \(calibration.reason(error))")
        }
    }

    private mutating func read(_ input: GPSLogInput, _ log: GPSLog) throws(InputError) {
        var log = log
        while true {
            switch log.next() {
            case .output(.compass(let reading, _, let device, _)):
                guard reading.magneticX != nil, readings.count < Self.mostReadings else { break }
                readings.append(reading)
                if let device, devices.count < 8 { devices.insert(device) }
            case .output(.fix(let fix, _)): lastFix = fix
            case .output, .damaged: break
            case .needsBytes:
                do throws(SystemError) {
                    try unsafe log.supply { (room) throws(SystemError) in try unsafe input.read(room) }
                } catch {
                    throw .cannotOpen(input.path, error)
                }
            case .ended: return
            }
        }
    }

    private func lines(_ iron: HardIron) -> String {
        let offset = [iron.offset.x, iron.offset.y, iron.offset.z].map { Self.fixed($0, asExactAs: iron.radius) }
        let (coverage, residual) = (Self.percent(iron.coverage), Self.percent(iron.residual))
        let (all, shape) = turning == .allRound ? ("in all directions", "sphere") : ("once around", "circle")
        return """
            # \(iron.count) readings of a compass turned \(all), of which it saw \(coverage) %. They lie on a
            # \(shape) of radius \(Self.fixed(iron.radius, asExactAs: iron.radius)), \(residual) % off (root mean square).
            [settings]
            field-offset = \(offset.joined(separator: ","))
            \(factor(iron))

            """
    }

    /// What a unit is, from the field that the Earth has there.
    private func factor(_ iron: HardIron) -> String {
        let part = turning == .allRound ? "field" : "horizontal field"
        let radius = Self.fixed(iron.radius, asExactAs: iron.radius)
        guard let lastFix, let time = lastFix.time else {
            return
                "# field-factor: the Earth's \(part) where this was, in microtesla, by \(radius); a log with a fix tells it"
        }
        let field = MagneticModel.wmm2025.field(
            at: lastFix.coordinate, altitude: lastFix.ellipsoidalAltitude ?? 0, time: time)
        let intensity = (turning == .allRound ? field.totalIntensity : field.horizontalIntensity) / 1000
        let factor = intensity / iron.radius
        let told = "# The Earth's \(part) there is \(Self.fixed(intensity, asExactAs: intensity)) microtesla (WMM2025)"
        guard factor <= Self.greatestFactor, factor >= 1e-6 else { return told + ", which is no plausible unit." }
        return told + ".\nfield-factor = \(Self.fixed(factor, asExactAs: factor))"
    }

    private func reason(_ refusal: HardIron.Refusal) -> String {
        switch refusal {
        case .tooFewReadings(let count):
            "\(count) readings with \(turning == .level ? "mag_x and mag_y" : "mag_x, mag_y and mag_z"); 50 are needed"
        case .tooLittleRotation(let coverage):
            "the compass was seen in \(Self.percent(coverage)) % of the directions, of which 75 % are needed: turn it "
                + (turning == .level ? "once around, level" : "in all directions, also upside down, or use --level")
        case .tooMuchResidual(let residual):
            "the readings lie \(Self.percent(residual)) % off a \(turning == .level ? "circle" : "sphere"), at most 10 % is "
                + "allowed: keep magnets, steel and currents at the same place on the device, or away"
        }
    }

    /// With at most one decimal.
    private static func percent(_ share: Double) -> String {
        var line = JSONLine(capacity: 32)
        line.decimal(min(share, 1e6) * 100, decimals: 1)
        return line.takeString()
    }

    /// With as many decimals as give `size` six digits.
    private static func fixed(_ number: Double, asExactAs size: Double) -> String {
        var (decimals, smallest) = (0, 100_000.0)
        while decimals < 9, size < smallest {
            decimals += 1
            smallest /= 10
        }
        var line = JSONLine(capacity: 32)
        line.decimal(number, decimals: decimals)
        return line.takeString()
    }
}
