// CurlMulti: libcurl's multi handle, driven by its host's sockets and timer.
// Spec: docs/models.md (network)

import CCurl

/// libcurl's multi handle, driven by its host's sockets and timer.
///
/// Confined to one shard; no thread of its own (libcurl starts one for each look-up of a host name, since `getaddrinfo`
/// blocks).
///
/// libcurl calls back while it works, and may not be called from there. Every entry into it goes through
/// ``inside(_:)``, so that callers can ask ``isInside`` and put off what must wait.
final class CurlMulti {
    /// Whether libcurl is at work right now, further up in the call stack.
    private(set) var isInside = false
    /// When libcurl wants to be called although no socket is ready, by the given clock.
    private(set) var deadline: Duration?

    private let handle: UnsafeMutableRawPointer
    private let clock: MonotonicClock
    private let host: (HostRequest) -> Void
    /// What libcurl wants of the sockets of its transfers.
    ///
    /// One each: the others that a transfer tries while it connects are closed before its body begins.
    private var sockets: [UnsafeMutableRawPointer: (fd: Int32, what: Int32)] = [:]
    /// Transfers that stand still.
    private var still: Set<UnsafeMutableRawPointer> = []

    /// Makes a multi handle that keeps at most `pooled` idle connections.
    init(
        pooled: Int, clock: MonotonicClock, host: @escaping (HostRequest) -> Void
    ) throws(ModelSettingsError) {
        guard Self.isLibraryReady, let handle = curl_multi_init() else {
            throw .library(detail: "libcurl cannot be initialised")
        }
        self.handle = handle
        self.clock = clock
        self.host = host
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = chalkline_multi_set_socket_callback(handle) { easy, fd, what, context, _ in
            guard let easy, let context else { return 0 }
            Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue().watch(fd: fd, what: what, of: easy)
            return 0
        }
        _ = chalkline_multi_set_timer_callback(handle) { _, milliseconds, context in
            guard let context else { return 0 }
            Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue().setDeadline(after: milliseconds)
            return 0
        }
        _ = chalkline_multi_set_pointer(handle, CURLMOPT_SOCKETDATA, context)
        _ = chalkline_multi_set_pointer(handle, CURLMOPT_TIMERDATA, context)
        _ = chalkline_multi_set_long(handle, CURLMOPT_MAXCONNECTS, pooled)
    }

    deinit {
        // The callbacks must not see an object that is going away.
        fallSilent()
        curl_multi_cleanup(handle)
    }

    /// Tells the host nothing more, since it may be gone.
    func fallSilent() {
        _ = chalkline_multi_set_pointer(handle, CURLMOPT_SOCKETDATA, nil)
        _ = chalkline_multi_set_pointer(handle, CURLMOPT_TIMERDATA, nil)
    }

    /// Starts a transfer.
    ///
    /// Returns what went wrong, if anything.
    func add(_ transfer: CurlTransfer) -> String? {
        inside { Self.problem(curl_multi_add_handle(handle, transfer.easy)) }
    }

    /// Ends a transfer; a connection in the middle of a response is closed at once.
    func remove(_ transfer: CurlTransfer) {
        inside { _ = curl_multi_remove_handle(handle, transfer.easy) }
        still.remove(transfer.easy)
        sockets[transfer.easy] = nil
    }

    /// Watches a transfer's socket no more, whatever libcurl wants of it.
    ///
    /// Some releases go on asking for a socket of TLS that they do not read, and epoll tells of a reset one even where
    /// nothing is asked for: either would keep the host awake. May be called while libcurl is at work.
    func standStill(_ transfer: CurlTransfer) {
        still.insert(transfer.easy)
        if let socket = sockets[transfer.easy] { host(.unwatch(fd: socket.fd)) }
    }

    /// Lets a transfer go on that stands still; libcurl gives what it keeps before this returns.
    func goOn(_ transfer: CurlTransfer) -> CURLcode {
        still.remove(transfer.easy)
        let result = inside { curl_easy_pause(transfer.easy, CURLPAUSE_CONT) }
        // libcurl asks only for what changes in its own eyes.
        if !still.contains(transfer.easy), let (fd, what) = sockets[transfer.easy] {
            watch(fd: fd, what: what, of: transfer.easy)
        }
        return result
    }

    /// Lets libcurl work on a socket that is ready.
    ///
    /// Returns what went wrong, if anything.
    func act(fd: Int32, readable: Bool, writable: Bool, hasError: Bool) -> String? {
        let flags =
            (readable ? CURL_CSELECT_IN : 0) | (writable ? CURL_CSELECT_OUT : 0) | (hasError ? CURL_CSELECT_ERR : 0)
        return inside {
            var running: Int32 = 0
            return Self.problem(curl_multi_socket_action(handle, fd, flags, &running))
        }
    }

    /// Lets libcurl work on what its deadline was about, if that is over.
    ///
    /// Returns what went wrong, if anything.
    func actOnDeadline() -> String? {
        guard let deadline, deadline <= clock.now else { return nil }
        self.deadline = nil
        return inside {
            var running: Int32 = 0
            return Self.problem(curl_multi_socket_action(handle, CURL_SOCKET_TIMEOUT, 0, &running))
        }
    }

    /// The next transfer that has ended by itself, with libcurl's result.
    func nextDone() -> (easy: UnsafeMutableRawPointer, result: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(handle, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            return (easy, message.pointee.data.result)
        }
        return nil
    }

    private func inside<Result>(_ work: () -> Result) -> Result {
        isInside = true
        defer { isInside = false }
        return work()
    }

    private func watch(fd: Int32, what: Int32, of easy: UnsafeMutableRawPointer) {
        if what == CURL_POLL_REMOVE {
            if sockets[easy]?.fd == fd { sockets[easy] = nil }
            host(.unwatch(fd: fd))
            return
        }
        sockets[easy] = (fd, what)
        if !still.contains(easy) {
            host(.watch(fd: fd, readable: what & CURL_POLL_IN != 0, writable: what & CURL_POLL_OUT != 0))
        }
    }

    /// libcurl's timer callback.
    ///
    /// It must not call libcurl, not even for zero: the host's timer does.
    private func setDeadline(after milliseconds: Int) {
        deadline = milliseconds < 0 ? nil : clock.now + .milliseconds(milliseconds)
    }

    private static func problem(_ code: CURLMcode) -> String? {
        code == CURLM_OK ? nil : String(cString: curl_multi_strerror(code))
    }

    /// Global set-up, once for the process; a `static let` is initialised by one thread only.
    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
