/// The straight way between two places outside a circle, where it passes through.
///
/// Taken as a plane triangle of the places and the centre, whose sides are geodesics: over six kilometres that is right
/// to a millionth.
struct LineCrossing {
    /// Metres from the centre to the nearest point of the way.
    let nearest: Double
    /// Where the circle is entered and left, as shares of the way.
    let entry, exit: Double

    /// - Parameters:
    ///   - start: Metres from the centre to the beginning of the way.
    ///   - end: Metres from the centre to its end.
    ///   - length: Metres, above 0.
    /// - Returns: `nil` where it does not touch the circle between two ends outside.
    init?(radius: Double, start: Double, end: Double, length: Double) {
        let foot = (length + (start - end) * (start + end) / length) / 2
        let squaredNearest = max(0, (start - foot) * (start + foot))
        guard start > radius, end > radius, foot >= 0, foot <= length, squaredNearest <= radius * radius else {
            return nil
        }
        nearest = squaredNearest.squareRoot()
        let half = (radius * radius - squaredNearest).squareRoot()
        entry = max(0, foot - half) / length
        exit = min(length, foot + half) / length
    }
}
