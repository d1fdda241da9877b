import Foundation
import SkerryCore
import Testing

@testable import SkerryIO

@Suite("Logs of receivers, from files")
struct GPSLogInputTests {
    private static let json = """
        {"class":"TPV","mode":2,"time":"2024-06-01T12:00:00.000Z","lat":1,"lon":8}
        {"class":"TPV","mode":2,"time":"2024-06-01T12:00:01.000Z","lat":2,"lon":8}

        """

    /// Latitudes of the fixes, and what is wrong.
    private func play(_ input: GPSLogInput) throws -> [String] {
        var log = try input.recognise(name: "log")
        var words: [String] = []
        while true {
            switch log.next() {
            case .output(.fix(let fix, _)): words.append("\(fix.coordinate.latitude)")
            case .output: break
            case .damaged(let what): words.append(what)
            case .needsBytes: try log.supply { (room) throws(SystemError) in try input.read(room) }
            case .ended(let fault): return words + [fault?.message, input.fault].compactMap(\.self)
            }
        }
    }

    private func refusal(_ input: () throws -> GPSLogInput) -> String {
        do {
            _ = try input().recognise(name: "log")
            return "none"
        } catch InputError.unrecognised(_, let reason) {
            return reason
        } catch InputError.cannotOpen(_, let error) {
            return error.message
        } catch {
            return "\(error)"
        }
    }

    /// An input whose gpsdecode is another program.
    private func input(_ path: String, decoder: String) throws -> GPSLogInput {
        let input = try GPSLogInput(path: path)
        input.decoderProgram = decoder
        return input
    }

    @Test("gpsd's JSON is read as it is")
    func plain() throws {
        let folder = try TestFolder()
        let input = try input(folder.file("log", Self.json.utf8), decoder: "no-such-program")
        #expect(try play(input) == ["1.0", "2.0"])
        #expect(input.kind == .gpsd && input.length == UInt64(Self.json.utf8.count) && !input.hasShrunk)
    }

    @Test("what a receiver sent goes through gpsdecode, from its beginning, and its ending counts")
    func decoded() throws {
        let folder = try TestFolder()
        let log = try folder.file("log", "$GPGGA,1*00\r\n".utf8)
        let report = #"{"class":"TPV","mode":2,"lat":47,"lon":8}"#
        // It must be given the whole file, and gives its own end.
        let first = try input(
            log, decoder: folder.program("a", "read line && test \"${line%,*}\" = '$GPGGA' && echo '\(report)'"))
        #expect(try play(first) == ["47.0"])
        #expect(first.kind == .receiver && first.length == nil)
        let second = try input(log, decoder: folder.program("b", "echo '\(report)'; echo '\(report)'; exit 4"))
        #expect(try play(second) == ["47.0", "47.0", "gpsdecode ended with status 4"])
        let third = try input(log, decoder: folder.program("c", "echo '\(report)'; printf '{\"class'; kill -9 $$"))
        #expect(try play(third) == ["47.0", "the last line is cut", "gpsdecode was ended by signal 9"])
    }

    @Test("what can't be used is refused with a reason")
    func refused() throws {
        let folder = try TestFolder()
        let text = try folder.file("text", "Dear diary\n".utf8)
        #expect(
            refusal { try input(folder.file("empty", []), decoder: "true") }
                == "not a log of a receiver, but an empty file")
        #expect(
            refusal { try input(text, decoder: "true") }
                == "no log of a receiver: text, and gpsdecode makes nothing of it")
        #expect(
            refusal { try input(text, decoder: "cat") }
                == "no log of a receiver: text, and gpsdecode makes nothing of it")
        #expect(refusal { try input(text, decoder: "no-such-program") } == "not a log of a receiver, but text")
        let sentence = try folder.file("sentence", "$GPGGA,1*00\r\n".utf8)
        #expect(
            refusal { try input(sentence, decoder: "no-such-program") }
                == "what a receiver sent, for which gpsdecode is needed: it is part of Debian's gpsd-clients")
        #expect(refusal { try input(folder.path("none"), decoder: "true") } == "No such file or directory")
        #expect(refusal { try input("/", decoder: "true") } == "Is a directory")
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let writer = try ChildProcess("sh", ["-c", "echo '$GPGGA,1*00' >'\(pipe)'"])
        #expect(
            refusal { try input(pipe, decoder: "cat") }
                == "not gpsd's JSON; what a receiver sent must be a file, or go through gpsdecode -j")
        #expect(writer.waitForEnding() == .exited(0))
    }

    @Test("an input that is let go leaves nothing behind")
    func lettingGo() throws {
        let folder = try TestFolder()
        let log = try folder.file("log", "$GPGGA,1*00\r\n".utf8)
        let program = try folder.program(
            "endless", "echo $$ >'\(folder.path("number"))'; while :; do echo '{\"class\":\"TPV\",\"mode\":1}'; done")
        do { _ = try input(log, decoder: program).recognise(name: "log") }
        let number = try #require(pid_t(String(contentsOfFile: folder.path("number"), encoding: .utf8).dropLast()))
        #expect(kill(number, 0) == -1)
    }

    @Test("gpsdecode itself", .enabled(if: program("gpsdecode") != nil, "gpsdecode is not installed"))
    func gpsdecode() throws {
        let folder = try TestFolder()
        let sentences = (0..<60).map { NMEA.epoch(second: 43_200 + $0, latitude: 47 + Double($0) / 1000) }.joined()
        let latitudes = try play(GPSLogInput(path: folder.file("walk.nmea", sentences.utf8))).compactMap(Double.init)
        // It swallows an epoch at the beginning and at the end.
        #expect((55...60).contains(latitudes.count))
        for (earlier, later) in zip(latitudes, latitudes.dropFirst()) {
            #expect(abs(later - earlier - 0.001) < 1e-6)
        }
        var generator = SystemRandomNumberGenerator()
        let noise = try folder.file(
            "noise", (0..<100_000).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        #expect(refusal { try GPSLogInput(path: noise) }.hasPrefix("no"))
    }
}
