extension [Double] {
    /// The arithmetic mean; `nil` where there is none.
    var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }

    /// The middle, or the mean of the two in the middle; `nil` where there is none.
    var median: Double? {
        guard !isEmpty else { return nil }
        let ordered = sorted()
        return count % 2 == 1 ? ordered[count / 2] : (ordered[count / 2 - 1] + ordered[count / 2]) / 2
    }

    /// Interpolated between the two neighbours in order (Hyndman and Fan, The American Statistician 50, 1996, type 7).
    func quantile(_ share: Double) -> Double? {
        guard !isEmpty else { return nil }
        let ordered = sorted()
        let place = Double(count - 1) * share
        let below = Int(place)
        let above = Swift.min(below + 1, count - 1)
        return ordered[below] + (ordered[above] - ordered[below]) * (place - Double(below))
    }
}
