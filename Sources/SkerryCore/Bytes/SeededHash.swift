/// Two words to one, by a seed: the halves of a 128-bit product folded (after Wang Yi, wyhash).
struct SeededHash {
    private let first, second: UInt64

    init(seed: UInt64) {
        first = seed ^ 0xA076_1D64_78BD_642F
        second = seed &* 0xE703_7ED1_A0B4_28DB | 1
    }

    @inline(__always)
    func callAsFunction(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = (a ^ first).multipliedFullWidth(by: b ^ second)
        return product.high ^ product.low
    }
}
