import Foundation
import SkerryCore
import Testing

@testable import SkerryIO

@Suite("Files of a recording")
struct CaptureFileTests {
    /// A live run with a recorder, in which one adapter hears.
    private final class Run {
        var scan: Scan
        let source: SourceID
        var now: Int64 = 1_000_000
        let begin = Timestamp(seconds: 1_700_000_000, microseconds: 0)

        init(fileLength: Int? = nil) {
            let engine = Engine(
                settings: ProximitySettings(profile: .apple), regions: [], wanted: .standard, seed: 1)
            scan = Scan(
                engine: engine, version: "1", command: "record", clock: RunClock(monotonic: 1_000_000, wall: begin),
                seed: 1)
            scan.recorder = BTSnoopWriter(fileLength: fileLength)
            source = scan.addSource(name: "hci0", kind: "hci")
            scan.change(source, to: .listening)
        }

        /// An advertising report with a number in it.
        func hear(_ number: Int) {
            let tail: [UInt8] = [
                1, 2, 3, 4, 5, 0xC6, 5, 4, 0xFF, UInt8(truncatingIfNeeded: number >> 8),
                UInt8(truncatingIfNeeded: number), 0, 0xC5,
            ]
            let event: [UInt8] = [0x3E, 17, 0x02, 1, 3, 1] + tail
            scan.receive(HCIPacket(kind: .event, bytes: event.span.bytes), from: source)
        }

        /// Lets time pass until a file has nothing to do, a second at most.
        func settle(_ file: CaptureFile, seconds: Double = 1.1) {
            now += Int64(seconds * 1e6)
            let end = MachineClock.monotonic + 1_000_000
            repeat {
                file.step(now: now, into: &scan)
                Signals.sleep(microseconds: 1000)
            } while file.deadline.map { $0 <= now + 50_000 } ?? false && MachineClock.monotonic < end
        }

        var faults: [String] {
            scan.events.compactMap { event in
                guard case .error(let fault) = event.content else { return nil }
                return "\(fault.domain) \(fault.name)"
            }
        }
    }

    /// Lets a file begin to wait for more, and then wait no longer.
    private func write(_ file: CaptureFile, of run: Run) {
        file.step(now: run.now, into: &run.scan)
        run.settle(file)
    }

    private static let header = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 7, 0xD1]

    /// The numbers that were heard, of a file that must be whole.
    private func numbers(_ path: String) throws -> [Int] {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        try #require(bytes.starts(with: Self.header))
        var (found, place) = ([Int](), 16)
        while place < bytes.count {
            try #require(place + 24 <= bytes.count)
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            try #require(place + 24 + length <= bytes.count)
            if length == 19 { found.append(Int(bytes[place + 24 + 15]) << 8 | Int(bytes[place + 24 + 16])) }
            place += 24 + length
        }
        return found
    }

    @Test("a little is written after a second, much at once, the rest at the end")
    func course() throws {
        let folder = try TestFolder()
        let path = try folder.file("walk.btsnoop", BTSnoopWriter.beginning)
        let run = Run()
        let file = try CaptureFile(path: path)
        run.hear(0)
        file.step(now: run.now, into: &run.scan)
        #expect(file.deadline == run.now + 1_000_000)
        run.settle(file)
        #expect(try numbers(path) == [0] && file.deadline == nil)
        for number in 1..<2000 { run.hear(number) }
        run.settle(file, seconds: 0)
        #expect(try numbers(path).count == 2000)
        run.hear(2000)
        file.finish(into: &run.scan)
        #expect(try numbers(path) == Array(0...2000))
        #expect(run.scan.recorder?.statistics.dropped == 0 && run.faults.isEmpty)
    }

    @Test("every write ends with a record: whatever becomes of the next one, the file is whole")
    func wholeWrites() throws {
        let folder = try TestFolder()
        let path = folder.path("walk.btsnoop")
        let run = Run()
        let file = try CaptureFile(path: path)
        for number in 0..<20_000 { run.hear(number) }
        // Only the first of several writes.
        file.step(now: run.now, into: &run.scan)
        for _ in 0..<20 { Signals.sleep(microseconds: 10_000) }
        let count = try numbers(path).count
        #expect(count > 5000 && count < 20_000)
        file.finish(into: &run.scan)
        #expect(try numbers(path).count == 20_000)
    }

    @Test("older files are kept under numbers, so many and no more; also those of the run before")
    func rotation() throws {
        let folder = try TestFolder()
        let before = BTSnoopWriter.beginning + Array("the run before".utf8)
        let path = try folder.file("r", before)
        let run = Run(fileLength: 65_536)
        let file = try CaptureFile(path: path, keeps: 3)
        run.hear(0)
        write(file, of: run)
        #expect(try [UInt8](Data(contentsOf: URL(filePath: path + ".1"))) == before)
        for number in 1..<9000 {
            run.hear(number)
            if number % 500 == 499 { run.settle(file) }
        }
        file.finish(into: &run.scan)
        var all: [Int] = []
        for name in ["r.3", "r.2", "r.1", "r"] { all += try numbers(folder.path(name)) }
        #expect(all == Array(9000 - all.count..<9000) && all.count > 4500)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
        #expect(names.sorted() == ["r", "r.1", "r.2", "r.3"])
    }

    @Test("a disk without room is told once, and tried again")
    func full() throws {
        let run = Run()
        let file = try CaptureFile(path: "/dev/full")
        for _ in 0..<3 {
            for number in 0..<5000 { run.hear(number) }
            run.settle(file)
        }
        #expect(run.faults == ["capture unwritable"])
        for pause in [4, 8, 16, 32, 60, 60] as [Int64] {
            run.now = try #require(file.deadline)
            run.settle(file, seconds: 0)
            #expect(file.deadline == run.now + pause * 1_000_000)
        }
        for number in 0..<200_000 { run.hear(number) }
        file.finish(into: &run.scan)
        // With what says that there is an adapter and that it scans.
        #expect(run.scan.recorder?.statistics.dropped == 215_005)
        #expect(run.faults == ["capture unwritable"])
    }

    @Test("a write that goes on keeps nobody waiting", .timeLimit(.minutes(1)))
    func slow() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let reading = FileDescriptor(number: ends[0])
        let writing = FileDescriptor(number: ends[1])
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 >> 8) }
        let begin = MachineClock.monotonic
        let write = BackgroundWrite(bytes[...], to: writing.number, at: 0)
        for _ in 0..<100 { #expect(write.check() == nil) }
        write.wait(microseconds: 1000)
        #expect(MachineClock.monotonic - begin < 500_000)
        var got: [UInt8] = []
        while got.count < bytes.count { got += try reading.readPiece() }
        write.wait(microseconds: 1_000_000)
        #expect(got == bytes && write.check() == .success(bytes.count))
    }

    @Test("a file has one writer, also after it has begun anew", arguments: [0, 2])
    func twoWriters(keeps: Int) throws {
        let folder = try TestFolder()
        let path = folder.path("r")
        let run = Run(fileLength: keeps > 0 ? 65_536 : nil)
        var file: CaptureFile? = try CaptureFile(path: path, keeps: keeps)
        for _ in 0..<3 {
            for number in 0..<2000 { run.hear(number) }
            if let file { run.settle(file) }
            for keeps in [0, 2] {
                let refusal = #expect(throws: OutputError.self) { try CaptureFile(path: path, keeps: keeps) }
                #expect(refusal == OutputError(path: path, reason: SystemError(EBUSY)))
            }
        }
        file?.finish(into: &run.scan)
        #expect(try !numbers(path).isEmpty && run.faults.isEmpty)
        file = nil
        _ = try CaptureFile(path: path)
    }

    @Test("what would keep a writer waiting is refused; a device takes everything", .timeLimit(.minutes(1)))
    func others() throws {
        let folder = try TestFolder()
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        func refusal(_ path: String, keeps: Int = 0) -> OutputError? {
            do throws(OutputError) {
                _ = try CaptureFile(path: path, keeps: keeps)
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal(folder.path("pipe"))?.reason == SystemError(EINVAL))
        #expect(refusal(folder.path(""))?.reason == SystemError(EISDIR))
        let devices = try (0..<2).map { _ in try CaptureFile(path: "/dev/null") }
        #expect(devices.count == 2)
        #expect(refusal("/dev/null", keeps: 1)?.reason == SystemError(EINVAL))
        // What stands where an older file would be.
        #expect(mkdir(folder.path("r.2"), 0o700) == 0)
        #expect(
            refusal(folder.path("r"), keeps: 2)
                == OutputError(path: folder.path("r.2"), reason: SystemError(EISDIR)))
        #expect(refusal(folder.path("r"), keeps: 1) == nil)
    }

    @Test("a file that is not where it was is told once, and another one there left alone", arguments: [0, 2])
    func lost(keeps: Int) throws {
        let folder = try TestFolder()
        let path = folder.path("r")
        let run = Run(fileLength: keeps > 0 ? 65_536 : nil)
        let file = try CaptureFile(path: path, keeps: keeps)
        run.hear(0)
        file.step(now: run.now, into: &run.scan)
        run.settle(file)
        #expect(rename(path, folder.path("moved")) == 0)
        _ = try folder.file("r", "somebody else's".utf8)
        for number in 1..<4000 { run.hear(number) }
        run.settle(file)
        for _ in 0..<3 {
            run.now = file.deadline ?? run.now
            run.settle(file, seconds: 0)
        }
        #expect(run.faults == ["capture unwritable"])
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "somebody else's")
        #expect(try numbers(folder.path("moved")) == [0])
        // The next file begins as soon as there is room for it.
        #expect(unlink(path) == 0)
        for number in 4000..<8000 { run.hear(number) }
        for _ in 0..<10 {
            run.now = file.deadline ?? run.now
            run.settle(file, seconds: 0)
        }
        file.finish(into: &run.scan)
        let names = keeps == 0 ? ["r"] : ["r.2", "r.1", "r"]
        #expect(try names.flatMap { try numbers(folder.path($0)) }.last == 7999)
        #expect(run.scan.recorder?.statistics.dropped ?? 0 > 0)
    }

    @Test("a recording that others cut or remove is begun anew", arguments: ["cut", "emptied", "removed"], [0, 2])
    func spoilt(how: String, keeps: Int) throws {
        let folder = try TestFolder()
        let path = folder.path("r")
        let run = Run(fileLength: keeps > 0 ? 65_536 : nil)
        let file = try CaptureFile(path: path, keeps: keeps)
        for number in 0..<100 { run.hear(number) }
        write(file, of: run)
        #expect(how == "removed" ? unlink(path) == 0 : truncate(path, how == "cut" ? 1000 : 0) == 0)
        run.hear(100)
        write(file, of: run)
        #expect(run.faults == ["capture unwritable"])
        #expect(run.scan.recorder?.statistics.dropped == 1)
        for number in 101..<110 { run.hear(number) }
        write(file, of: run)
        file.finish(into: &run.scan)
        #expect(try numbers(path) == Array(101..<110))
        #expect(run.faults.count == 1)
        // What is left of the one before is an older file, as far as it goes.
        let older = try? Data(contentsOf: URL(filePath: path + ".1"))
        #expect(older?.count == (keeps > 0 && how == "cut" ? 1000 : nil))
    }

    @Test("that is told also where nothing is heard any more")
    func spoiltInSilence() throws {
        let folder = try TestFolder()
        let run = Run()
        let file = try CaptureFile(path: folder.path("r"))
        run.hear(0)
        write(file, of: run)
        #expect(unlink(folder.path("r")) == 0)
        run.settle(file)
        #expect(try run.faults == ["capture unwritable"] && numbers(folder.path("r")).isEmpty)
        #expect(unlink(folder.path("r")) == 0)
        file.finish(into: &run.scan)
        #expect(try run.faults.count == 2 && numbers(folder.path("r")).isEmpty)
    }

    @Test("a recording into which others have written is theirs")
    func overwritten() throws {
        let folder = try TestFolder()
        let path = folder.path("r")
        let run = Run()
        let file = try CaptureFile(path: path)
        run.hear(0)
        write(file, of: run)
        let theirs = Data(repeating: 0x2A, count: 5000)
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.write(contentsOf: theirs)
        run.hear(1)
        write(file, of: run)
        file.finish(into: &run.scan)
        #expect(try Data(contentsOf: URL(filePath: path)) == theirs && run.faults == ["capture unwritable"])
    }

    /// Text, what btmon writes (its first record is a note), a capture of Android.
    @Test(
        "what this program did not write is refused, and left as it is",
        arguments: [
            Array("my notes\n".utf8), header + [0, 0, 0, 29, 0, 0, 0, 29, 0xFF, 0xFF, 0, 12],
            Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 3, 0xEA],
        ], ["r", "r.1", "r.2"])
    func foreign(bytes: [UInt8], name: String) throws {
        let folder = try TestFolder()
        _ = try folder.file("r", BTSnoopWriter.beginning)
        let path = try folder.file(name, bytes)
        let error = #expect(throws: OutputError.self) { try CaptureFile(path: folder.path("r"), keeps: 2) }
        #expect(error == OutputError(path: path, reason: SystemError(EEXIST)))
        #expect(try [UInt8](Data(contentsOf: URL(filePath: path))) == bytes)
    }

    @Test("a run that records nothing leaves the file as it was, and no new one")
    func unused() throws {
        let folder = try TestFolder()
        let own = BTSnoopWriter.beginning + [1, 2, 3]
        for keeps in [0, 2] {
            _ = try CaptureFile(path: folder.path("new"), keeps: keeps)
            _ = try CaptureFile(path: folder.file("old", own), keeps: keeps)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")) == ["old"])
        #expect(try [UInt8](Data(contentsOf: URL(filePath: folder.path("old")))) == own)
        // A header alone, and one that was cut while it was written, are recordings too.
        for count in [0, 1, 16, 20] {
            _ = try CaptureFile(path: folder.file("old", own.prefix(count)))
        }
    }

    @Test("a file that can't be made")
    func refused() {
        #expect(throws: OutputError.self) { try CaptureFile(path: "/nowhere/at/all") }
    }
}
