// ModelEvent: what comes back from a model while it answers.
// Spec: docs/architecture.md (models)

/// What comes back from a model while it answers.
///
/// After ``finished(_:)`` or ``failed(_:)`` nothing follows.
public enum ModelEvent: Sendable, Hashable {
    /// The call ended without an answer, or broke off.
    case failed(ModelError)
    /// The answer is complete as far as the model is concerned.
    case finished(FinishReason)
    /// The model is thinking; its thoughts are never shown.
    case reasoning
    /// A piece of the answer, whole characters.
    case text(String)
    /// Tokens, as the endpoint counts them.
    ///
    /// The last one counts.
    case usage(ModelUsage)
}

/// Why a model stopped.
public enum FinishReason: String, Sendable, Hashable, CaseIterable {
    /// A filter of the endpoint cut it.
    case contentFilter = "content_filter"
    /// The limit of tokens or bytes cut it.
    case length
    /// It had no more to say.
    case stop
    /// It called a tool.
    case toolCalls = "tool_calls"
}

/// Tokens of one call.
public struct ModelUsage: Sendable, Hashable {
    /// Tokens of the prompt, cached ones included.
    public var input: Int
    /// Those of them that the endpoint had cached.
    public var cached: Int
    /// Tokens of the answer.
    public var output: Int

    /// Makes a count.
    public init(input: Int, cached: Int, output: Int) {
        self.input = input
        self.cached = cached
        self.output = output
    }
}

/// Why a call failed.
///
/// The details are for the log; a client sees only the code.
public enum ModelError: Error, Sendable, Hashable {
    /// The endpoint reported an error inside its stream, or its answer could not be read.
    case invalid(detail: String)
    /// The endpoint asks for a pause.
    case rateLimited(retryMilliseconds: Int?)
    /// The endpoint refused the request.
    case refused(status: Int)
    /// The endpoint was too slow.
    case timeout
    /// The endpoint could not be reached, or broke off.
    case unavailable(detail: String)
}

/// The number of a model call within its session; late events of an earlier call are told apart by it.
public struct ModelCallID: Sendable, Hashable, Comparable {
    /// From 1.
    public let number: Int

    /// Makes the id of the n-th call.
    public init(_ number: Int) { self.number = number }

    /// By number.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
