import Glibc
import Testing

@testable import SkerryIO

@Suite("Programs beside this one")
struct ChildProcessTests {
    private func text(_ process: ChildProcess) throws -> String {
        String(decoding: try process.output.readAll(limit: 1 << 20), as: UTF8.self)
    }

    @Test("output and ending")
    func output() throws {
        let process = try ChildProcess("sh", ["-c", "echo one; echo two >&2; exit 3"])
        #expect(try text(process) == "one\n")
        #expect(process.waitForEnding() == .exited(3))
        #expect(process.checkEnding() == .exited(3))
    }

    @Test("input from the present place of a file, and no environment")
    func input() throws {
        let folder = try TestFolder()
        let file = try FileDescriptor(reading: folder.file("words", "one two".utf8))
        let isMoved = file.seek(to: 4)
        #expect(isMoved)
        let process = try ChildProcess("sh", ["-c", "cat; echo \" $HOME\""], input: file.number)
        #expect(try text(process) == "two \n")
    }

    @Test("a signal")
    func signal() throws {
        let process = try ChildProcess("sh", ["-c", "kill -9 $$"])
        #expect(try text(process) == "")
        #expect(process.waitForEnding() == .killed(signal: SIGKILL))
    }

    @Test("a broken pipe ends it")
    func brokenPipe() throws {
        let process = try ChildProcess("sh", ["-c", "kill -PIPE $$; echo still here"])
        #expect(try text(process) == "")
        #expect(process.waitForEnding() == .killed(signal: SIGPIPE))
    }

    @Test("a program that is not there")
    func missing() {
        #expect(throws: SystemError(ENOENT)) { try ChildProcess("no-such-program", []) }
    }

    @Test("nothing is left of one that is let go, or that closes its output and goes on")
    func lettingGo() throws {
        let number: pid_t
        do {
            let process = try ChildProcess("sh", ["-c", "echo $$; exec sleep 60"])
            var first: [UInt8] = []
            while first.last != 0x0A { first += try process.output.readPiece() }
            number = try #require(pid_t(String(decoding: first.dropLast(), as: UTF8.self)))
            #expect(kill(number, 0) == 0)
        }
        // Not even a zombie, which a signal would still find.
        #expect(kill(number, 0) == -1)
        let process = try ChildProcess("sh", ["-c", "exec >&-; exec sleep 60"])
        #expect(try text(process) == "")
        #expect(process.waitForEnding() == .killed(signal: SIGKILL))
    }
}
