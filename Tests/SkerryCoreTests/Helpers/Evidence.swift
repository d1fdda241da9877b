@testable import SkerryCore

extension RegionTransition {
    var beaconEvidence: BeaconEvidence? { if case .beacon(let evidence) = evidence { evidence } else { nil } }
    var circleEvidence: CircleEvidence? { if case .circle(let evidence) = evidence { evidence } else { nil } }
}
