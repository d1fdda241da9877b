private import Glibc

/// A write to a file that goes on by itself (aio(7)): a disk may keep a writer waiting for seconds, and the radio must not.
@safe final class BackgroundWrite {
    /// A descriptor of its own: the number of one that was closed meanwhile may be somebody else's.
    private let descriptor: Int32
    private let control: UnsafeMutablePointer<aiocb>
    private let bytes: UnsafeMutableRawBufferPointer
    private var result: Result<Int, SystemError>?

    /// Begins to write at a place of a file.
    init(_ source: ArraySlice<UInt8>, to descriptor: Int32, at place: Int) {
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        unsafe bytes = .allocate(byteCount: source.count, alignment: 1)
        unsafe bytes.copyBytes(from: source)
        unsafe control = .allocate(capacity: 1)
        unsafe control.initialize(to: aiocb())
        unsafe control.pointee.aio_fildes = self.descriptor
        unsafe control.pointee.aio_buf = bytes.baseAddress
        unsafe control.pointee.aio_nbytes = bytes.count
        unsafe control.pointee.aio_offset = place
        unsafe control.pointee.aio_sigevent.sigev_notify = Int32(SIGEV_NONE)
        if unsafe aio_write(control) != 0 { result = .failure(SystemError(errno)) }
    }

    deinit {
        // What still goes on must find its memory; that is so only when the program ends.
        guard check() != nil else { return }
        if descriptor >= 0 { close(descriptor) }
        unsafe control.deallocate()
        unsafe bytes.deallocate()
    }

    /// Bytes written, maybe not all; `nil` while it goes on.
    func check() -> Result<Int, SystemError>? {
        if let result { return result }
        let state = unsafe aio_error(control)
        guard state != EINPROGRESS else { return nil }
        let count = unsafe aio_return(control)
        result = state == 0 ? .success(count) : .failure(SystemError(state))
        return result
    }

    /// Waits for its end, so long at most.
    func wait(microseconds: Int64) {
        guard check() == nil else { return }
        var list: UnsafePointer<aiocb>? = unsafe UnsafePointer(control)
        var span = timespec(tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000 * 1000))
        _ = unsafe aio_suspend(&list, 1, &span)
    }
}
