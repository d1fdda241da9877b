import Testing

@testable import skerry

@Test func misspeltOptionIsSuggested() {
    #expect(editDistance("--region", "--regoin") == 2)
}
