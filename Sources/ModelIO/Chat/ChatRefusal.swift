// ChatRefusal: a response whose status is not that of an answer.
// Spec: docs/models.md (rules of the adapter)

package import TutorCore

/// A response whose status is not that of an answer: what it means for the call.
package struct ChatRefusal: Sendable, Hashable {
    /// The status.
    package let status: Int
    /// What becomes of the call.
    package let error: ModelError

    private let loweredBody: String

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - status: the status of its head.
    ///   - body: what came of the body, or its beginning.
    ///   - retryAfter: the pause that the head asks for.
    ///   - limits: the longest pause, and how much of the body is read as JSON.
    package init(status: Int, body: [UInt8], retryAfter: Duration?, limits: ModelLimits) {
        self.status = status
        loweredBody = String(decoding: body, as: UTF8.self).lowercased()
        switch Self.meaning(of: status) {
        case .busy:
            error = .rateLimited(
                retryMilliseconds: retryAfter.map { min(max($0, .zero), limits.longestRetry).wholeMilliseconds })
        case .refused:
            error = .refused(status: status)
        case .down:
            let message = ChatErrorText.message(in: body, limits: limits)
            error = .unavailable(detail: "status \(status)" + (message.map { ": " + $0 } ?? ""))
        }
    }

    /// Whether the body holds a text, case aside.
    ///
    /// `text` is in lower case.
    package func mentions(_ text: String) -> Bool { loweredBody.contains(text) }

    /// Whether a status is that of an answer.
    package static func isAnswer(status: Int) -> Bool { (200..<300).contains(status) }

    /// What a status says about the endpoint.
    enum Meaning: Sendable, Hashable {
        /// It asks for a pause.
        case busy
        /// It cannot answer now.
        case down
        /// It does not take this request; the same request would fare no better.
        case refused
    }

    /// The statuses with their meanings; what stands nowhere is a refusal.
    ///
    /// A redirect is one, too: it is not followed.
    static let meanings: [(statuses: ClosedRange<Int>, meaning: Meaning)] = [
        (408...408, .down), (425...425, .down), (429...429, .busy), (500...599, .down),
    ]

    /// The meaning of a status.
    static func meaning(of status: Int) -> Meaning {
        meanings.first { $0.statuses.contains(status) }?.meaning ?? .refused
    }
}
