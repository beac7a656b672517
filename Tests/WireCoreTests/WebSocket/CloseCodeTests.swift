// CloseCodeTests: which numbers may stand in a close frame.

import Testing
import WireCore

@Suite("RFC 6455 §7.4 close codes")
struct CloseCodeTests {
    @Test func exactlyTheGivenRangesMayBeSent() {
        let allowed = [1000...1003, 1007...1014, 3000...4999]
        let wrong = (UInt16.min ... .max).filter { code in
            CloseCode(rawValue: code).mayBeSent != allowed.contains { $0.contains(Int(code)) }
        }
        #expect(wrong == [])
    }

    @Test(arguments: [
        WebSocketError.closePayloadTooShort, .controlFlood, .controlTooBig, .expectedContinuation, .fragmentedControl,
        .invalidCloseCode(.abnormal), .invalidUTF8, .lengthOutOfRange, .messageTooBig(limit: .max), .messageTooSlow,
        .nonMinimalLength, .reservedBits, .reservedOpcode(Opcode(rawValue: 3)), .tooManyFragments(limit: .max),
        .unexpectedContinuation, .wrongMasking, .corruptCompression, .outOfMemory,
    ])
    func everyErrorHasACodeAndATextThatFitAFrame(error: WebSocketError) {
        #expect(error.closeCode.mayBeSent)
        #expect(!error.text.isEmpty && error.text.utf8.count <= 123)
    }
}
