// HTTPRequestParserTests: strict request heads, whole and in every split.

import Testing
import WireCore

@Suite("RFC 9112 request heads")
struct HTTPRequestParserTests {
    enum Outcome: Equatable {
        case error(HTTPRequestError)
        case head(HTTPRequestHead, rest: Int)
        case needsMore
    }

    private func parse(_ pieces: [[UInt8]], limits: HTTPLimits = HTTPLimits()) -> Outcome {
        var parser = HTTPRequestParser(limits: limits)
        var total = pieces.reduce(0) { $0 + $1.count }
        do throws(HTTPRequestError) {
            for piece in pieces {
                let progress = try parser.receive(piece)
                total -= progress.consumed
                if let head = progress.head { return .head(head, rest: total) }
            }
        } catch {
            return .error(error)
        }
        return .needsMore
    }

    private func parse(_ text: String, limits: HTTPLimits = HTTPLimits()) -> Outcome {
        sameInEverySplit([UInt8](text.utf8), rounds: 6) { parse($0, limits: limits) }
    }

    private func head(_ text: String) throws -> HTTPRequestHead {
        guard case .head(let head, _) = parse(text) else { throw HTTPRequestError.invalidRequestLine }
        return head
    }

    @Test func readsARequest() throws {
        let text =
            "GET /v1/ws?x=1&y=a%20b HTTP/1.1\r\nHost: tutor.example:8080\r\nX-Empty:\r\n"
            + "Accept:text/html\r\nX-Many: a\r\nx-many: \t b, c \t\r\n\r\nmore"
        guard case .head(let head, let rest) = parse(text) else {
            Issue.record("no head")
            return
        }
        #expect(rest == 4)
        #expect(head.method == .get && head.isHTTP11 && head.keepsAlive)
        #expect(head.path == "/v1/ws" && head.query == "x=1&y=a%20b")
        #expect(head.authority == "tutor.example:8080")
        #expect(head.headers.first("ACCEPT") == "text/html")
        #expect(head.headers.first("x-empty") == "")
        #expect(head.headers.all("X-MANY") == ["a", "b, c"])
        #expect(head.headers.list("x-many") == ["a", "b", "c"])
        #expect(head.headers.first("absent") == nil)
        #expect(head.body == .none)
    }

    @Test func leavesEverythingBehindTheHeadToTheCaller() throws {
        let first = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
        let bytes = [UInt8]("\(first)GET /b HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        var parser = HTTPRequestParser()
        let progress = try parser.receive(bytes)
        #expect(progress.consumed == first.utf8.count)
        #expect(try parser.receive(bytes).consumed == 0)
        var next = HTTPRequestParser()
        #expect(try next.receive([UInt8](bytes[progress.consumed...])).head?.path == "/b")
    }

    @Test func knowsWhetherARequestHasBegun() throws {
        var parser = HTTPRequestParser()
        #expect(!parser.hasBegun)
        _ = try parser.receive([UInt8]("G".utf8))
        #expect(parser.hasBegun)
    }

    /// F02 and its kin: never a head.
    @Test(
        arguments: [
            // Line ends.
            ("GET / HTTP/1.1\nHost: h\n\n", HTTPRequestError.bareLineFeed),
            ("GET / HTTP/1.1\r\nHost: h\n\r\n", .bareLineFeed),
            ("GET / HTTP/1.1\r\nHost: h\r\n\n", .bareLineFeed),
            ("GET / HTTP/1.1\r\nHost: h\r\nA: b\rc\r\n\r\n", .invalidHeader),
            ("\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", .bareLineFeed),
            // Request line.
            ("GET  / HTTP/1.1\r\nHost: h\r\n\r\n", .invalidRequestLine),
            (" GET / HTTP/1.1\r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("GET / HTTP/1.1 \r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("GET /\tHTTP/1.1\r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("GET / \r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("GET /\r\n\r\n", .invalidRequestLine),
            ("G(T / HTTP/1.1\r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("GET a HTTP/1.1\r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("GET /é HTTP/1.1\r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("GET /a#b HTTP/1.1\r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("GET * HTTP/1.1\r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("GET ftp://h/ HTTP/1.1\r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("GET http:///a HTTP/1.1\r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("GET http://u@h/a HTTP/1.1\r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("GET / http/1.1\r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("GET / HTTP/1.10\r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("GET / HTTP/11\r\nHost: h\r\n\r\n", .invalidRequestLine),
            ("GET / HTTP/2.0\r\nHost: h\r\n\r\n", .unsupportedVersion),
            ("GET / HTTP/0.9\r\nHost: h\r\n\r\n", .unsupportedVersion),
            ("GET / HTTP/1.2\r\nHost: h\r\n\r\n", .unsupportedVersion),
            // Header lines.
            ("GET / HTTP/1.1\r\nHost: h\r\nA : b\r\n\r\n", .invalidHeader),
            ("GET / HTTP/1.1\r\nHost: h\r\nA\t: b\r\n\r\n", .invalidHeader),
            ("GET / HTTP/1.1\r\nHost: h\r\n: b\r\n\r\n", .invalidHeader),
            ("GET / HTTP/1.1\r\nHost: h\r\nA\r\n\r\n", .invalidHeader),
            ("GET / HTTP/1.1\r\nHost: h\r\nA(: b\r\n\r\n", .invalidHeader),
            ("GET / HTTP/1.1\r\nHost: h\r\nA: b\0c\r\n\r\n", .invalidHeader),
            ("GET / HTTP/1.1\r\nHost: h\r\nA: b\u{7F}\r\n\r\n", .invalidHeader),
            ("GET / HTTP/1.1\r\nHost: h\r\nA: b\u{1}\r\n\r\n", .invalidHeader),
            ("GET / HTTP/1.1\r\nHost: h\r\nÄ: b\r\n\r\n", .invalidHeader),
            ("GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n", .obsoleteFolding),
            ("GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n\tc\r\n\r\n", .obsoleteFolding),
            ("GET / HTTP/1.1\r\n Host: h\r\n\r\n", .obsoleteFolding),
            // Host.
            ("GET / HTTP/1.1\r\n\r\n", .invalidHost),
            ("GET / HTTP/1.1\r\nHost:\r\n\r\n", .invalidHost),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", .invalidHost),
            ("GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", .invalidHost),
            ("GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", .invalidHost),
            ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", .invalidHost),
            ("GET / HTTP/1.1\r\nHost: u@h\r\n\r\n", .invalidHost),
            ("GET http://h/ HTTP/1.1\r\n\r\n", .invalidHost),
            // Lengths.
            (
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
                .conflictingLengths
            ),
            (
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
                .conflictingLengths
            ),
            ("POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n", .conflictingLengths),
            ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .unknownTransferCoding),
            ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: xchunked\r\n\r\n", .unknownTransferCoding),
            (
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n",
                .unknownTransferCoding
            ),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n", .invalidContentLength),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n", .invalidContentLength),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3, 3\r\n\r\n", .invalidContentLength),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +3\r\n\r\n", .invalidContentLength),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", .invalidContentLength),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0x3\r\n\r\n", .invalidContentLength),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n\r\n", .invalidContentLength),
        ] as [(String, HTTPRequestError)])
    func refuses(text: String, error: HTTPRequestError) {
        #expect(parse(text) == .error(error))
        #expect((400...505).contains(error.status.rawValue))
    }

    @Test func toleratesOneEmptyLineBeforeARequest() throws {
        #expect(try head("\r\nGET /a HTTP/1.1\r\nHost: h\r\n\r\n").path == "/a")
    }

    @Test func takesTargetsInAbsoluteForm() throws {
        let head = try head("GET HTTP://real.example:81/a?b HTTP/1.1\r\nHost: other\r\n\r\n")
        #expect(head.path == "/a" && head.query == "b" && head.authority == "real.example:81")
        let bare = try self.head("GET https://h?q HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(bare.path == "/" && bare.query == "q")
        #expect(try self.head("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n").path == "*")
    }

    @Test func keepsAliveOnlyHTTP11WithoutClose() throws {
        #expect(try !head("GET / HTTP/1.0\r\n\r\n").keepsAlive)
        #expect(try !head("GET / HTTP/1.1\r\nHost: h\r\nConnection: x, Close\r\n\r\n").keepsAlive)
        #expect(try head("GET / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\n\r\n").keepsAlive)
    }

    @Test(
        arguments: [
            ("Content-Length: 0", HTTPRequestHead.Body.none, nil),
            ("Content-Length: 17", .length(17), HTTPRequestError.bodyNotTaken),
            ("Content-Length: 99999999999999999999999", .length(.max), .bodyNotTaken),
            ("Transfer-Encoding: Chunked", .chunked, .bodyWithoutLength),
        ] as [(String, HTTPRequestHead.Body, HTTPRequestError?)])
    func refusesBodiesWhereNoneIsTaken(field: String, body: HTTPRequestHead.Body, error: HTTPRequestError?) throws {
        let head = try head("POST / HTTP/1.1\r\nHost: h\r\n\(field)\r\n\r\n")
        #expect(head.body == body)
        if let error {
            #expect(throws: error) { try head.requireNoBody() }
        } else {
            try head.requireNoBody()
        }
    }

    // MARK: - Limits

    private func request(line: Int) -> String {
        "GET /\(String(repeating: "a", count: line - 14)) HTTP/1.1\r\nHost: h\r\n\r\n"
    }

    @Test func theRequestLineHasALimit() {
        guard case .head = parse([[UInt8](request(line: 4096).utf8)]) else {
            Issue.record("4096 bytes refused")
            return
        }
        #expect(parse(request(line: 4097)) == .error(.requestLineTooLong))
        #expect(parse(String(repeating: "a", count: 5000)) == .error(.requestLineTooLong))
        #expect(HTTPRequestError.requestLineTooLong.status.rawValue == 414)
    }

    @Test func headersHaveLimits() {
        let start = "GET / HTTP/1.1\r\nHost: h\r\n"
        let one = "A: \(String(repeating: "b", count: 8189))\r\n"
        guard case .head = parse([[UInt8]("\(start)\(one)\r\n".utf8)]) else {
            Issue.record("one header of 8192 bytes refused")
            return
        }
        let over = "A: \(String(repeating: "b", count: 8190))\r\n"
        #expect(parse("\(start)\(over)\r\n") == .error(.headersTooLarge))
        #expect(parse("\(start)\(one)\(one)\r\n") == .error(.headersTooLarge))
        #expect(HTTPRequestError.headersTooLarge.status.rawValue == 431)
    }

    @Test func allHeadersTogetherMayBeExactlyAsLongAsTheLimit() {
        var limits = HTTPLimits()
        limits.allHeaders = 30
        // "Host: h" and "A: …" with their line ends: 9 + 21.
        let exact = "GET / HTTP/1.1\r\nHost: h\r\nA: \(String(repeating: "b", count: 16))\r\n\r\n"
        guard case .head = parse(exact, limits: limits) else {
            Issue.record("30 bytes refused")
            return
        }
        let over = "GET / HTTP/1.1\r\nHost: h\r\nA: \(String(repeating: "b", count: 17))\r\n\r\n"
        #expect(parse(over, limits: limits) == .error(.headersTooLarge))
    }

    // A06: thousands of small headers before the upgrade.
    @Test func thousandsOfHeadersAreRefused() {
        let many = (0..<2000).map { "\(UnicodeScalar(UInt8(97 + $0 % 26)))x: \r\n" }.joined()
        let text = "GET /v1/ws HTTP/1.1\r\nHost: h\r\n\(many)Upgrade: websocket\r\n\r\n"
        #expect(parse([[UInt8](text.utf8)]) == .error(.tooManyHeaders))
        #expect(HTTPRequestError.tooManyHeaders.status.rawValue == 431)
        let hundred = (0..<99).map { "x\($0): y\r\n" }.joined()
        guard case .head = parse("GET / HTTP/1.1\r\nHost: h\r\n\(hundred)\r\n") else {
            Issue.record("100 headers refused")
            return
        }
    }

    @Test func anErrorStaysAnError() throws {
        var parser = HTTPRequestParser()
        #expect(throws: HTTPRequestError.bareLineFeed) { try parser.receive([0x0A]) }
        #expect(throws: HTTPRequestError.bareLineFeed) { try parser.receive([UInt8]("GET / HTTP/1.1\r\n".utf8)) }
    }

    // F01: an unfinished head is neither a head nor an error; the clock is the caller's.
    @Test func anUnfinishedHeadNeedsMore() {
        #expect(parse("GET / HTTP/1.1\r\nHost: h\r\n") == .needsMore)
        #expect(parse("") == .needsMore)
    }

    // F02: any bytes give a head, a typed error or the wish for more.
    @Test func survivesDamagedHeadsInAnySplit() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        let source = [UInt8](
            "POST http://h:1/a?b HTTP/1.1\r\nHost: h\r\nContent-Length: 12\r\nConnection: a, b\r\n\r\nrest".utf8)
        var limits = HTTPLimits()
        limits.requestLine = 40
        limits.header = 30
        limits.allHeaders = 70
        limits.headerCount = 4
        for round in 0..<1500 {
            var bytes = source
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert([0x0D, 0x0A, 0x20, 0x3A, 0x00].randomElement(using: &generator) ?? 0, at: place)
                case 2: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
                default: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
                }
            }
            let whole = parse([bytes], limits: limits)
            let pieces = randomPieces(of: bytes, using: &generator)
            #expect(parse(pieces, limits: limits) == whole, "seed \(seed), round \(round)")
            #expect(parse(bytes.map { [$0] }, limits: limits) == whole, "seed \(seed), round \(round)")
        }
    }
}
