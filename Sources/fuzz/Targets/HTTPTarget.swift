// HTTPTarget: the same bytes in any split give the same request head, the same rest and the same error, and an
// accepted head, written again, reads as itself.
// Spec: RFC 9112 §2.2, §3, §5, §6

import WireCore

/// What a connection's first bytes came to.
private struct HeadReading: Equatable {
    var head: HTTPRequestHead?
    var error: HTTPRequestError?
    /// Bytes that belong to the head.
    var consumed = 0

    init(_ pieces: [ArraySlice<UInt8>], limits: HTTPLimits) {
        var parser = HTTPRequestParser(limits: limits)
        do throws(HTTPRequestError) {
            for piece in pieces {
                let progress = try parser.receive(piece.span)
                invariant(progress.consumed <= piece.count, "consumed more than was given")
                consumed += progress.consumed
                head = progress.head
                if head != nil { return }
                invariant(progress.consumed == piece.count, "an incomplete head left bytes")
            }
        } catch {
            self.error = error
            // Where in the input it was noticed is the split's business.
            consumed = 0
        }
    }
}

/// The first byte chooses the limits, so that they are met by short inputs too; the rest is the request.
func fuzzHTTP(_ bytes: [UInt8]) {
    guard let choice = bytes.first else { return }
    var limits = HTTPLimits()
    if choice & 1 != 0 {
        limits.requestLine = 8 + Int(choice >> 1)
        limits.header = 8 + Int(choice >> 2)
        limits.allHeaders = 16 + Int(choice >> 1)
        limits.headerCount = 1 + Int(choice >> 5)
    }
    let reading = Splits.agree(on: [UInt8](bytes.dropFirst()), "head") { HeadReading($0, limits: limits) }
    guard let head = reading.head else { return }
    invariant(head.headers.fields.count <= limits.headerCount, "more fields than the limit")
    let again = HeadReading([written(head)[...]], limits: roomy)
    invariant(again.head == head, "\(head) reads again as \(again)")
    // The next layer must stand whatever this one lets through.
    do throws(HandshakeError) {
        _ = try WebSocketHandshake.accept(head)
    } catch {
        _ = error.response
    }
}

/// Room for values whose broken UTF-8 was replaced by longer characters.
private let roomy = {
    var limits = HTTPLimits()
    limits.requestLine *= 4
    limits.header *= 4
    limits.allHeaders *= 4
    return limits
}()

private func written(_ head: HTTPRequestHead) -> [UInt8] {
    var target = head.path
    if head.authority != head.headers.first("Host") ?? "" { target = "http://\(head.authority)\(target)" }
    if let query = head.query { target += "?\(query)" }
    var text = "\(head.method.rawValue) \(target) HTTP/1.\(head.isHTTP11 ? 1 : 0)\r\n"
    for field in head.headers.fields { text += "\(field.name): \(field.value)\r\n" }
    return [UInt8]((text + "\r\n").utf8)
}
