// HTTPRequestParser: reads request heads from bytes, strictly.
// Spec: RFC 9112 §2.2, §3, §5, §6.1, §6.3

/// Reads one request head from bytes that come in any split.
///
/// Where RFC 9112 lets a recipient be lenient, this one refuses: two parsers that disagree about a request are how
/// requests are smuggled. O(bytes); the same bytes in any split give the same head, or the same error.
public struct HTTPRequestParser: Sendable {
    /// What one call did.
    public struct Progress: Sendable {
        /// The head, when it is complete.
        public var head: HTTPRequestHead?

        /// How many of the given bytes belonged to the head.
        ///
        /// The rest is the caller's: body, next request or frames.
        public var consumed: Int
    }

    private enum Stage {
        case requestLine
        case headers
        case done
    }

    private let limits: HTTPLimits
    private var stage = Stage.requestLine
    private var failure: HTTPRequestError?
    private var line: [UInt8] = []
    private var headerBytes = 0
    private var skippedEmptyLine = false
    private var requestLine = RequestLine()
    private var headers = HTTPHeaders()

    /// A parser at the first byte of a request.
    public init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
    }

    /// Whether any byte of a request has come.
    ///
    /// A connection that waits for its next request may be idle; one in the middle of a head is on the clock.
    public var hasBegun: Bool { stage != .requestLine || !line.isEmpty || skippedEmptyLine }

    /// Takes the next bytes.
    ///
    /// Stops at the end of the head; call it no more after that, or after an error, which is thrown again.
    public mutating func receive(_ bytes: Span<UInt8>) throws(HTTPRequestError) -> Progress {
        if let failure { throw failure }
        do {
            return try advance(bytes)
        } catch {
            failure = error
            line = []
            headers = HTTPHeaders()
            throw error
        }
    }

    /// Takes the next bytes from an array.
    public mutating func receive(_ bytes: [UInt8]) throws(HTTPRequestError) -> Progress {
        try receive(bytes.span)
    }

    private mutating func advance(_ bytes: Span<UInt8>) throws(HTTPRequestError) -> Progress {
        var start = 0
        while stage != .done {
            var end = start
            while end < bytes.count, bytes[end] != 0x0A { end += 1 }
            try reserve(end - start)
            for index in start..<end { line.append(bytes[index]) }
            guard end < bytes.count else { return Progress(head: nil, consumed: bytes.count) }
            start = end + 1
            if let head = try endLine() { return Progress(head: head, consumed: start) }
        }
        return Progress(head: nil, consumed: 0)
    }

    /// Checks that the line under way may grow by `count` bytes.
    ///
    /// One byte more than the limit is the carriage return.
    private func reserve(_ count: Int) throws(HTTPRequestError) {
        let length = line.count + count
        if stage == .requestLine {
            guard length <= limits.requestLine + 1 else { throw .requestLineTooLong }
        } else {
            // The empty line that ends the head does not count.
            guard length <= limits.header + 1, length <= 1 || headerBytes + length + 1 <= limits.allHeaders else {
                throw .headersTooLarge
            }
        }
    }

    private mutating func endLine() throws(HTTPRequestError) -> HTTPRequestHead? {
        guard line.popLast() == 0x0D else { throw .bareLineFeed }
        defer { line.removeAll(keepingCapacity: true) }
        switch stage {
        case .requestLine:
            // RFC 9112 §2.2: one empty line before a request is tolerated, for old clients that sent one too many.
            if line.isEmpty, !skippedEmptyLine {
                skippedEmptyLine = true
                return nil
            }
            requestLine = try RequestLine(line)
            stage = .headers
            return nil
        case .headers where line.isEmpty:
            stage = .done
            return try finish()
        case .headers:
            headerBytes += line.count + 2
            guard headers.fields.count < limits.headerCount else { throw .tooManyHeaders }
            try addHeader()
            return nil
        case .done:
            return nil
        }
    }

    private mutating func addHeader() throws(HTTPRequestError) {
        if line[0] == FieldGrammar.space || line[0] == FieldGrammar.tab { throw .obsoleteFolding }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), FieldGrammar.isToken(line[..<colon]),
            line[(colon + 1)...].allSatisfy(FieldGrammar.isFieldValue)
        else { throw .invalidHeader }
        let value = FieldGrammar.trim(line, colon + 1..<line.count)
        headers.add(String(decoding: line[..<colon], as: UTF8.self), String(decoding: line[value], as: UTF8.self))
    }

    private func finish() throws(HTTPRequestError) -> HTTPRequestHead {
        let authority = try host()
        var head = HTTPRequestHead(
            method: requestLine.method, path: requestLine.path, query: requestLine.query,
            isHTTP11: requestLine.isHTTP11, headers: headers, authority: requestLine.authority ?? authority)
        head.body = try body()
        return head
    }

    /// RFC 9112 §3.2: exactly one `Host`, and a plausible one.
    private func host() throws(HTTPRequestError) -> String {
        let count = headers.count(of: "Host")
        if count == 0, !requestLine.isHTTP11 { return "" }
        guard count == 1, let host = headers.first("Host"), RequestLine.isAuthority(host.utf8) else {
            throw .invalidHost
        }
        return host
    }

    /// RFC 9112 §6.3, with every doubtful form refused.
    private func body() throws(HTTPRequestError) -> HTTPRequestHead.Body {
        let lengths = headers.all("Content-Length")
        let codings = headers.all("Transfer-Encoding")
        if let coding = codings.first {
            guard lengths.isEmpty, requestLine.isHTTP11 else { throw .conflictingLengths }
            guard codings.count == 1, FieldGrammar.isEqualIgnoringCase(coding, "chunked") else {
                throw .unknownTransferCoding
            }
            return .chunked
        }
        guard let length = lengths.first else { return .none }
        guard lengths.count == 1, !length.isEmpty, length.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
            throw .invalidContentLength
        }
        // More digits than an Int holds is still a number: a body longer than any limit.
        let count = Int(length) ?? Int.max
        return count == 0 ? .none : .length(count)
    }
}
