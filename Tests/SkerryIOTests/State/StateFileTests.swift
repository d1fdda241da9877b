import Foundation
import Glibc
import SkerryCore
import Testing

@testable import SkerryIO

/// A file's new content: the old or the new, never a part.
@Suite struct FileReplacementTests {
    private static let old = Array("old\n".utf8)
    private static let new = Array(repeating: UInt8(ascii: "n"), count: 100_000)

    private static let mark = FileMark(Array("n".utf8))

    private func content(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map(Array.init) }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func others(_ folder: TestFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path("")).filter { $0.hasSuffix(".new") }
    }

    /// Goes on until all is done, as a poll loop does.
    private func advance(_ replacement: FileReplacement, _ look: () -> Void = {}) throws {
        var poller = Poller()
        while try !replacement.advance() {
            look()
            let interest = Poller.Interest(descriptor: replacement.descriptor, events: .readable)
            _ = try poller.wait(for: [interest], until: MachineClock.monotonic + 10_000_000)
        }
    }

    @Test(arguments: [true, false])
    func theNewTakesThePlaceOfTheOldAtOnce(waits: Bool) throws {
        let folder = try TestFolder()
        let path = try folder.file("state", Self.old)
        let replacement = try FileReplacement(of: path, with: Self.new, mark: Self.mark)
        #expect(content(path) == Self.old)
        if waits {
            try replacement.complete()
        } else {
            try advance(replacement) { #expect([Self.old, Self.new].contains(content(path))) }
        }
        #expect(try content(path) == Self.new && others(folder).isEmpty)
    }

    @Test func aNewFileIsItsOwnersAloneAndModesAreKept() throws {
        let folder = try TestFolder()
        let path = folder.path("state")
        try FileReplacement(of: path, with: Self.new, mark: Self.mark).complete()
        #expect(try mode(path) == 0o600)
        for wanted in [0o640, 0o444] as [mode_t] {
            chmod(path, wanted)
            try FileReplacement(of: path, with: Self.old, mark: Self.mark).complete()
            #expect(try mode(path) == Int(wanted) && content(path) == Self.old)
        }
    }

    @Test func linksAreFollowedAlsoToNothing() throws {
        let folder = try TestFolder()
        symlink("second", folder.path("first"))
        symlink(folder.path("target"), folder.path("second"))
        for content in [Self.new, Self.old] {
            try FileReplacement(of: folder.path("first"), with: content, mark: Self.mark).complete()
            #expect(self.content(folder.path("target")) == content)
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("first")) == "second")
        symlink("ring", folder.path("ring"))
        #expect(throws: SystemError(ELOOP)) { try FileReplacement(of: folder.path("ring"), with: [], mark: Self.mark) }
    }

    @Test func whatIsGivenUpLeavesNothing() throws {
        let folder = try TestFolder()
        let path = try folder.file("state", Self.old)
        do { _ = try FileReplacement(of: path, with: Self.new, mark: Self.mark) }
        do { _ = try FileReplacement(of: path, with: Self.new, mark: Self.mark).advance() }
        #expect(try content(path) == Self.old && others(folder).isEmpty)
    }

    /// What a run that was killed has left beside is no obstacle.
    @Test(arguments: ["", "n", "nn"])
    func leftoversAreReplaced(text: String) throws {
        let folder = try TestFolder()
        let path = try folder.file("state", Self.old)
        _ = try folder.file("state.new", text.utf8)
        try FileReplacement.check(path, mark: Self.mark)
        #expect(content("\(path).new") == Array(text.utf8), "another program may be writing it")
        try FileReplacement(of: path, with: Self.new, mark: Self.mark).complete()
        #expect(try content(path) == Self.new && others(folder).isEmpty)
    }

    /// A file of another program beside it, a link to one, a folder.
    @Test(arguments: ["file", "link", "folder"])
    func whatIsNotOursIsLeftAlone(kind: String) throws {
        let folder = try TestFolder()
        let path = try folder.file("state", Self.old)
        let beside = "\(path).new"
        let foreign = try folder.file(kind == "file" ? "state.new" : "foreign", "nothing of ours".utf8.reversed())
        if kind == "link" { symlink(foreign, beside) }
        if kind == "folder" { mkdir(beside, 0o700) }
        #expect(throws: SystemError(EEXIST)) { try FileReplacement.check(path, mark: Self.mark) }
        #expect(throws: SystemError(EEXIST)) { try FileReplacement(of: path, with: Self.new, mark: Self.mark) }
        #expect(content(path) == Self.old && content(foreign) == "nothing of ours".utf8.reversed())
        #expect(try others(folder) == ["state.new"])
    }

    @Test func aCheckChangesNothing() throws {
        let folder = try TestFolder()
        let path = try folder.file("state", Self.old)
        for path in [path, folder.path("none")] { try FileReplacement.check(path, mark: Self.mark) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")) == ["state"])
        #expect(content(path) == Self.old)
    }

    @Test func ofTwoAtOnceOneIsKeptAsAWhole() throws {
        let folder = try TestFolder()
        let path = try folder.file("state", "before".utf8)
        var first: FileReplacement? = try FileReplacement(of: path, with: Array("no".utf8), mark: Self.mark)
        let second = try FileReplacement(of: path, with: Self.new, mark: Self.mark)
        #expect(throws: SystemError(EBUSY)) { try first?.complete() }
        first = nil
        #expect(content(path) == Array("before".utf8))
        try second.complete()
        #expect(try content(path) == Self.new && others(folder).isEmpty)
    }

    @Test(arguments: [
        ("/sys/kernel/state", [EACCES, EROFS, EPERM]), ("/missing/state", [ENOENT]), ("/dev/null", [EINVAL]),
    ])
    func whatCannotBeWrittenSaysWhy(path: String, codes: [Int32]) throws {
        let error = #expect(throws: SystemError.self) { try FileReplacement(of: path, with: Self.new, mark: Self.mark) }
        #expect(codes.contains(error?.code ?? 0))
        let early = #expect(throws: SystemError.self) { try FileReplacement.check(path, mark: Self.mark) }
        #expect(early == error)
    }
}

/// When the states of regions are written.
@Suite struct StateFileTests {
    private static let door = BeaconRegion(name: "door")!
    private static let begin = Timestamp(seconds: 1_700_000_000, microseconds: 0)

    private static func engine() -> Engine {
        Engine(
            settings: ProximitySettings(profile: .apple), regions: [door], circles: [], wanted: EventKinds(.region),
            seed: 1)
    }

    /// A run over gpsd's JSON up to its end.
    private static func played(_ fixes: Int) -> Engine {
        let lines = (0..<fixes).map { second in
            #"{"class":"TPV","mode":3,"time":"2023-11-14T22:13:\#(10 + second).000Z","lat":47.\#(second),"lon":8}"#
        }
        let stream = GPSDStream(bytes: Array(lines.joined(separator: "\n").utf8) + [0x0A])
        var replay = Replay(engine: engine(), version: "1", command: "replay", seed: 1)
        replay.add(GPSLog(name: "log", stream: stream))
        while replay.run() != .finished {}
        return replay.engine
    }

    private func read(_ path: String) throws -> SavedState? { try StateFile(path: path).saved }

    /// Steps until nothing is on its way.
    private func settle(_ file: StateFile, _ engine: Engine, _ now: Int64) throws -> [Fault] {
        var faults: [Fault] = []
        repeat {
            if let fault = file.step(engine, now: now) { faults.append(fault) }
            var poller = Poller()
            if let interest = file.interest {
                _ = try poller.wait(for: [interest], until: MachineClock.monotonic + 10_000_000)
            }
        } while file.interest != nil
        return faults
    }

    @Test func whatHasNotChangedIsNotWritten() throws {
        let folder = try TestFolder()
        let path = folder.path("state")
        let file = try StateFile(path: path)
        #expect(file.saved == nil)
        // Nothing is known before the first record.
        let now = MachineClock.monotonic + 2_000_000
        #expect(file.deadline(Self.engine()) == nil)
        #expect(try settle(file, Self.engine(), now).isEmpty && read(path) == nil)
        let engine = Self.played(1)
        #expect(file.deadline(engine)! <= now)
        #expect(try settle(file, engine, now).isEmpty && read(path) == engine.savedState())
        #expect(file.deadline(engine) == nil)
        unlink(path)
        #expect(try settle(file, engine, now + 1_000_000_000).isEmpty && read(path) == nil)
        // At the end it is: until then that was so.
        #expect(file.finish(engine) == nil)
        #expect(try read(path) == engine.savedState())
    }

    /// A receiver says something new every second.
    @Test func thePlaceAloneIsWrittenOnceAMinute() throws {
        let folder = try TestFolder()
        let file = try StateFile(path: folder.path("state"))
        let now = MachineClock.monotonic + 2_000_000
        _ = try settle(file, Self.played(1), now)
        let later = Self.played(2)
        #expect(file.deadline(later) == now + 60_000_000)
        _ = try settle(file, later, now + 59_999_999)
        #expect(try read(folder.path("state")) == Self.played(1).savedState())
        _ = try settle(file, later, now + 60_000_000)
        #expect(try read(folder.path("state")) == later.savedState())
        #expect(file.finish(Self.played(3)) == nil)
        #expect(try read(folder.path("state")) == Self.played(3).savedState())
    }

    @Test func whatIsInTheWayIsNamed() throws {
        let folder = try TestFolder()
        _ = try folder.file("target.new", "a letter".utf8)
        symlink("target", folder.path("state"))
        let file = try StateFile(path: folder.path("state"))
        let error = #expect(throws: OutputError.self) { try file.check() }
        #expect(error?.path == folder.path("target.new"))
        #expect(error?.message == "skerry did not write this file; choose another name, or remove it")
        let home = #expect(throws: OutputError.self) { try StateFile(path: "~/state").check() }
        #expect(home?.message == "No such file or directory; ~ stands for no folder here, write it out")
    }

    @Test func aFailureIsToldOnceUntilItIsOver() throws {
        let folder = try TestFolder()
        try FileManager.default.createDirectory(atPath: folder.path("away"), withIntermediateDirectories: false)
        let path = folder.path("away/state")
        let file = try StateFile(path: path)
        rmdir(folder.path("away"))
        let engine = Self.played(1)
        var now = MachineClock.monotonic + 2_000_000
        let fault = try #require(try settle(file, engine, now).first)
        #expect(fault.domain == .region && fault.name == .stateNotSaved && fault.isRecoverable)
        #expect(fault.message == "\(path): No such file or directory; the states of the regions are not kept")
        #expect(file.deadline(engine) == now + 60_000_000)
        now += 60_000_000
        #expect(try settle(file, engine, now).isEmpty)
        mkdir(folder.path("away"), 0o755)
        now += 60_000_000
        #expect(try settle(file, engine, now).isEmpty && read(path) == engine.savedState())
        unlink(path)
        rmdir(folder.path("away"))
        #expect(try settle(file, Self.played(2), now + 60_000_000).count == 1)
        #expect(file.finish(Self.played(2)) == nil)
    }

    @Test func whatIsNoStateIsRefusedAndLeftAsItIs() throws {
        let folder = try TestFolder()
        let path = try folder.file("notes", Array("do not lose\n".utf8))
        let link = folder.path("link")
        symlink(path, link)
        mkfifo(folder.path("pipe"), 0o600)
        for (path, reason) in [
            (path, "line 1: no saved state of skerry; it is left as it is"),
            (link, "line 1: no saved state of skerry; it is left as it is"),
            (folder.path("pipe"), "no regular file"), ("/dev/null", "no regular file"),
        ] {
            let error = #expect(throws: InputError.self) { try StateFile(path: path) }
            guard case .unrecognised(path, reason) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(FileManager.default.contents(atPath: path) == Data("do not lose\n".utf8))
        let error = #expect(throws: InputError.self) { try StateFile(path: folder.path("")) }
        guard case .cannotOpen(_, .isDirectory) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
