/// Directions on the circle, degrees clockwise.
extension Double {
    /// The same direction, 0 ≤ direction < 360 and never -0; NaN where the number is not finite.
    var direction: Double {
        let rest = truncatingRemainder(dividingBy: 360)
        let positive = rest < 0 ? rest + 360 : rest
        // What is a hair below zero is rounded up to 360.
        return positive == 360 ? 0 : positive + 0
    }

    /// How far to turn from this direction to `other`, the short way: -180 < turn ≤ 180, positive to the right.
    func turn(to other: Double) -> Double {
        let right = (other - self).direction
        return right > 180 ? right - 360 : right
    }
}
