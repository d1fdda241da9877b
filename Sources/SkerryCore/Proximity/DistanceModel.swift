#if canImport(Glibc)
    private import Glibc
#endif

/// Log-distance path loss: distance = 10^((measured power - level) / (10 n)), in metres, for levels in dBm
/// (Rappaport, Wireless Communications, 2nd edition, section 4.9.1).
struct DistanceModel {
    /// The path-loss exponent; 2 in free space.
    var exponent: Double

    /// Metres. Finite and above zero for every power and level that a byte can hold.
    func distance(measuredPower: Double, level: Double) -> Double {
        pow(10, (measuredPower - level) / (10 * exponent))
    }
}
