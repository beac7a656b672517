// CodesTests: the tables of codes, reasons and limits.
// Spec: docs/protocol.md §3 (close codes), §10, §11

import Testing
import TutorProtocol

@Suite("Codes and limits")
struct CodesTests {
    @Test func errorCodesAreTheProtocols() {
        let expected: Set<String> = [
            "bad_frame", "bad_message", "unknown_type", "too_large", "unsupported", "unauthorized", "forbidden",
            "rate_limited", "budget_exhausted", "busy", "unknown_turn", "policy", "skill_denied", "skill_timeout",
            "upstream_rate_limited", "upstream_unavailable", "upstream_timeout", "upstream_refused",
            "upstream_invalid", "storage_degraded", "internal",
        ]
        #expect(Set(ErrorCode.allCases.map(\.rawValue)) == expected)
    }

    @Test func closeReasonsHaveTheirOwnCodesAndShortTexts() {
        #expect(Set(CloseReason.allCases.map(\.code)).count == CloseReason.allCases.count)
        for reason in CloseReason.allCases {
            #expect(!reason.text.isEmpty)
            #expect(reason.text.utf8.count <= 123)
        }
    }

    @Test func clientsMayReconnectWhereTheProtocolSaysSo() {
        let again = CloseReason.allCases.filter(\.mayReconnect).map(\.code).sorted()
        #expect(again == [1001, 1011, 4408, 4409, 4412])
        let never = CloseReason.allCases.filter { !$0.mayReconnect }.map(\.code).sorted()
        #expect(never == [1000, 1002, 1003, 1007, 1008, 1009, 4501, 4503, 4504, 4505])
    }

    @Test func everyLimitHasItsNameOnTheWire() {
        let limits = Limits()
        let properties = Mirror(reflecting: limits).children
        #expect(limits.named.count == properties.count)
        for (limit, property) in zip(limits.named, properties) {
            #expect(limit.value == property.value as? Int)
            // client_message_bytes is clientMessageBytes, written small.
            #expect(limit.name.replacing("_", with: "") == property.label?.lowercased())
        }
    }
}
