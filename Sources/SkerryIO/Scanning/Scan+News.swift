internal import SkerryCore

extension Scan {
    /// What a state machine tells of the source that it drives.
    mutating func tell(_ news: [HCIScanner.News], of source: SourceID) {
        for news in news { change(source, to: news.state, detail: news.detail) }
    }
}
