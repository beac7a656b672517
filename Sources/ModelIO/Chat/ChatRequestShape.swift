// ChatRequestShape: the optional fields of a request that not every endpoint takes.
// Spec: docs/models.md (rules of the adapter)

/// The optional fields of a request that not every endpoint takes.
package struct ChatRequestShape: Sendable, Hashable {
    /// Whether the token count is asked for, by `stream_options`.
    package var asksForUsage = true
    /// The name of the field for the most tokens of the answer.
    package var outputLimit = OutputLimit.maxTokens

    /// The shape that suits most endpoints.
    package init() {}

    /// Names that endpoints use for the most tokens of an answer.
    package enum OutputLimit: String, Sendable, Hashable, CaseIterable {
        case maxCompletionTokens = "max_completion_tokens"
        case maxTokens = "max_tokens"
    }

    /// What an endpoint's complaint tells about its fields.
    struct Rule: Sendable {
        /// Words that all stand in the complaint.
        var words: [String]
        /// What is done about it.
        ///
        /// A rule that changes nothing does not apply.
        var mend: @Sendable (inout ChatRequestShape) -> Void
    }

    /// Every optional field with the complaint that drops or renames it; the first that applies is used.
    ///
    /// Another quirk is another row.
    static let rules = [
        // Older Groq and Azure, and models behind proxies that check fields.
        Rule(words: ["stream_options"]) { $0.asksForUsage = false },
        // OpenAI's reasoning models. A complaint that the number is too large names both fields, too.
        Rule(words: ["max_tokens", "max_completion_tokens", "unsupported"]) { $0.outputLimit = .maxCompletionTokens },
    ]

    /// The statuses that complain about a field.
    static let complaintStatuses = [400, 422]

    /// The shape to try next after a refusal; nil: no field is to blame.
    package func mended(after refusal: ChatRefusal) -> ChatRequestShape? {
        guard Self.complaintStatuses.contains(refusal.status) else { return nil }
        for rule in Self.rules where rule.words.allSatisfy({ refusal.mentions($0) }) {
            var mended = self
            rule.mend(&mended)
            if mended != self { return mended }
        }
        return nil
    }
}
