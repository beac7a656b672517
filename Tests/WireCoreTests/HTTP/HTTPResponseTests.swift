// HTTPResponseTests: how answers are written.

import Testing
import WireCore

@Suite("RFC 9112 answers")
struct HTTPResponseTests {
    private func write(_ response: HTTPResponse, isHead: Bool = false, keepsAlive: Bool = true) -> String {
        var output: [UInt8] = []
        response.append(to: &output, isHead: isHead, keepsAlive: keepsAlive)
        return String(decoding: output, as: UTF8.self)
    }

    @Test func writesStatusFieldsLengthAndBody() {
        let response = HTTPResponse(
            status: .ok, headers: HTTPHeaders([("Content-Type", "text/css"), ("ETag", "\"a\"")]), body: [0x61, 0x62])
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/css\r\nETag: \"a\"\r\nContent-Length: 2\r\n"
        #expect(write(response) == "\(head)\r\nab")
        #expect(write(response, isHead: true) == "\(head)\r\n")
        #expect(write(response, keepsAlive: false) == "\(head)Connection: close\r\n\r\nab")
    }

    @Test func anAnswerOfPlainTextNamesItsType() {
        let text = write(HTTPResponse(status: .notFound, text: "no such page"), keepsAlive: false)
        let head = "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 13\r\n"
        #expect(text == "\(head)Connection: close\r\n\r\nno such page\n")
    }

    @Test(arguments: [HTTPStatus.noContent, .notModified, .switchingProtocols])
    func someAnswersHaveNoBodyAndNoLength(status: HTTPStatus) {
        let text = write(HTTPResponse(status: status, body: [0x61]))
        #expect(text == "HTTP/1.1 \(status.rawValue) \(status.reason)\r\n\r\n")
    }

    @Test func anEmptyBodyHasALength() {
        #expect(write(HTTPResponse(status: .ok)) == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }

    // No value can begin a field, a second answer or a body.
    @Test(arguments: ["a\r\nSet-Cookie: b", "a\nb: c", "a\rb", "a\0b", "a\r\n\r\n<script>", "a\u{7F}b"])
    func fieldValuesCannotInjectFields(value: String) {
        let text = write(HTTPResponse(status: .ok, headers: HTTPHeaders([("X-Name", value)])))
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        #expect(lines.count == 5)
        #expect(lines.dropLast().allSatisfy { $0.last == 0x0D })
        #expect(!text.utf8.contains(0) && !text.utf8.contains(0x7F))
        #expect(text.utf8.count { $0 == 0x0D } == 4)
    }

    @Test(arguments: ["", "a b", "a:b", "a\r\nb", "ä"])
    func malformedNamesAreLeftOut(name: String) {
        let text = write(HTTPResponse(status: .ok, headers: HTTPHeaders([(name, "v")])))
        #expect(text == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }

    @Test func framingFieldsAreWrittenOnce() {
        let headers = HTTPHeaders([
            ("content-length", "99"), ("Transfer-Encoding", "chunked"), ("CONNECTION", "keep-alive"),
        ])
        #expect(
            write(HTTPResponse(status: .ok, headers: headers, body: [0x61]))
                == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
    }

    @Test func aNumberThatIsNoStatusBecomes500() {
        #expect(write(HTTPResponse(status: HTTPStatus(rawValue: 7))).hasPrefix("HTTP/1.1 500 "))
    }

    @Test func everyRefusalSaysWhy() {
        let response = HTTPRequestError.headersTooLarge.response
        #expect(write(response, keepsAlive: false).hasPrefix("HTTP/1.1 431 Request Header Fields Too Large\r\n"))
        #expect(response.body == [UInt8]("header fields too large\n".utf8))
    }
}
