// ModelCall: one call from its start to its last event, over one or more exchanges.
// Spec: docs/models.md (network)

import TutorCore

/// One call from its start to its last event.
///
/// A call that is refused for an optional field has a second exchange.
final class ModelCall {
    /// The host's name for it.
    let token: UInt64
    /// What it asks; kept for a second exchange.
    let request: ModelRequest
    /// When which wait is over.
    var stages: CallStages
    /// The optional fields that its request uses.
    var shape: ChatRequestShape
    /// The exchange in progress; nil while it waits for a place, and when it is over.
    var transfer: CurlTransfer?
    /// Whether its last event is out, or on its way.
    var hasEnded = false
    /// Whether nobody wants its events any more.
    var isCancelled = false
    /// Whether its host holds it back.
    var isPaused = false
    /// Events that wait for it to go on: those of one read of its socket, and its end.
    var held: [ModelEvent] = []
    /// Whether the rest of its body may be read to keep the connection.
    var isDraining = false
    /// The answer, once a response with a good status has begun.
    var decoder: ChatStreamDecoder?
    /// The body of a response with a bad status.
    var errorBody: [UInt8] = []
    /// Bytes of the head so far.
    var headByteCount = 0
    /// Bytes of the body since it began to drain.
    var drainedByteCount = 0
    /// Exchanges so far.
    var exchangeCount = 0

    /// Makes a call that waits.
    init(token: UInt64, request: ModelRequest, shape: ChatRequestShape, stages: CallStages) {
        self.token = token
        self.request = request
        self.shape = shape
        self.stages = stages
    }

    /// Forgets what an exchange brought.
    func beginExchange() {
        exchangeCount += 1
        decoder = nil
        errorBody = []
        headByteCount = 0
    }
}
