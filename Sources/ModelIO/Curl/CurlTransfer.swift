// CurlTransfer: one HTTP exchange with an endpoint, as libcurl sees it.
// Spec: docs/models.md (network)

import CCurl
import Glibc

/// One HTTP exchange with an endpoint, as libcurl sees it: its options, its callbacks, its handle.
final class CurlTransfer {
    /// What becomes of a part of the body.
    enum Reply {
        /// It cannot be used; libcurl ends the transfer.
        case end
        /// It is taken.
        case taken
        /// It is to be given again after ``CurlMulti/goOn(_:)``; libcurl keeps it.
        case later
    }

    /// What a transfer hears while libcurl works.
    ///
    /// It must not call libcurl.
    protocol Owner: AnyObject {
        /// A line of the response's head came.
        func transfer(_ transfer: CurlTransfer, receivedHead byteCount: Int) -> Bool
        /// A part of the body came.
        func transfer(_ transfer: CurlTransfer, receivedBody bytes: Span<UInt8>) -> Reply
    }

    /// What the kernel keeps of an answer that is not read, in bytes.
    ///
    /// 128 KiB, of which it makes twice that: seconds of the quickest model's stream. Left alone it takes megabytes for
    /// a paused call, and the endpoint feels nothing of the pause.
    static let kernelByteCount: Int32 = 131_072

    /// libcurl's handle.
    let easy: UnsafeMutableRawPointer
    /// The call that it belongs to; nil once nobody waits for it.
    unowned let call: ModelCall

    /// Whether libcurl has been told to stand still, and keeps a part of the body.
    var isStill = false

    private var headers: UnsafeMutablePointer<curl_slist>?
    private unowned let owner: any Owner

    /// Sets up a POST of `body`.
    ///
    /// nil when libcurl has no memory left.
    init?(call: ModelCall, owner: any Owner, route: CurlRoute, body: [UInt8]) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.call = call
        self.owner = owner
        for line in route.headerLines {
            guard let longer = curl_slist_append(headers, line.revealed) else { return nil }
            headers = longer
        }
        guard apply(route), set(body: body) else { return nil }
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(headers)
    }

    /// The status of the response; 0 as long as there is none.
    var status: Int {
        var code = 0
        _ = chalkline_easy_get_long(easy, CURLINFO_RESPONSE_CODE, &code)
        return code
    }

    /// The pause that the response's `Retry-After` asks for; nil: none.
    ///
    /// libcurl reads seconds and dates.
    var retryAfter: Duration? {
        var seconds: curl_off_t = 0
        _ = chalkline_easy_get_offset(easy, CURLINFO_RETRY_AFTER, &seconds)
        return seconds > 0 ? .seconds(Int64(seconds)) : nil
    }

    private func apply(_ route: CurlRoute) -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let longs: [(CURLoption, Int)] = [
            (CURLOPT_POST, 1),
            // One stream, one connection: with HTTP/2 a cancelled stream would leave its connection open.
            (CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1),
            (CURLOPT_TCP_NODELAY, 1),
            (CURLOPT_TCP_KEEPALIVE, 1),
            // No signals and no SIGALRM timeouts: the process has many threads.
            (CURLOPT_NOSIGNAL, 1),
            // Without it, ending a transfer would wait for the thread that looks its host name up.
            (CURLOPT_QUICK_EXIT, 1),
            (CURLOPT_CONNECTTIMEOUT_MS, route.connectMilliseconds),
            (CURLOPT_SSL_VERIFYPEER, 1),
            (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2),
            // The key must not follow a redirect to another host.
            (CURLOPT_FOLLOWLOCATION, 0),
            (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
        ].map { ($0.0, Int($0.1)) }
        for (option, value) in longs where chalkline_easy_set_long(easy, option, value) != CURLE_OK { return false }
        var texts: [(CURLoption, String)] = [
            (CURLOPT_URL, route.address), (CURLOPT_PROTOCOLS_STR, "http,https"),
            // An empty proxy also switches the environment's off.
            (CURLOPT_PROXY, route.proxy ?? ""),
        ]
        if let file = route.authoritiesFile { texts.append((CURLOPT_CAINFO, file)) }
        for (option, value) in texts where chalkline_easy_set_string(easy, option, value) != CURLE_OK { return false }
        let results = [
            chalkline_easy_set_socket_callback(easy) { _, socket, _ in
                var size = CurlTransfer.kernelByteCount
                // A larger buffer works too.
                _ = setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
                return CURL_SOCKOPT_OK
            },
            chalkline_easy_set_list(easy, CURLOPT_HTTPHEADER, headers),
            chalkline_easy_set_pointer(easy, CURLOPT_WRITEDATA, context),
            chalkline_easy_set_pointer(easy, CURLOPT_HEADERDATA, context),
            chalkline_easy_set_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
                let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
                let reply = buffer.withMemoryRebound(to: UInt8.self) {
                    transfer.owner.transfer(transfer, receivedBody: $0.span)
                }
                switch reply {
                case .end: return Int(CURL_WRITEFUNC_ERROR)
                case .later: return Int(CURL_WRITEFUNC_PAUSE)
                case .taken: return size * count
                }
            },
            chalkline_easy_set_callback(easy, CURLOPT_HEADERFUNCTION) { _, size, count, context in
                guard let context else { return 0 }
                let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
                return transfer.owner.transfer(transfer, receivedHead: size * count) ? size * count : 0
            },
        ]
        return results.allSatisfy { $0 == CURLE_OK }
    }

    private func set(body: [UInt8]) -> Bool {
        // The size first: COPYPOSTFIELDS copies that many bytes.
        guard chalkline_easy_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)) == CURLE_OK else {
            return false
        }
        return body.withUnsafeBytes {
            chalkline_easy_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) == CURLE_OK
        }
    }
}
