// ModelCall: one call of the model within a turn: its text within bounds, its tokens.
// Spec: docs/protocol.md §5 (`usage`), §11

import ScreenCore
import TutorProtocol

/// One call of the model within a turn.
struct ModelCall: Sendable {
    /// Its number.
    let id: ModelCallID
    /// The estimate for its prompt, in tokens.
    let promptTokens: Int
    /// What the endpoint counted, if it did.
    var reported: ModelUsage?

    /// What the model wrote, tags and all; for the estimate of its tokens.
    private(set) var text = ""
    private var byteCount = 0

    init(id: ModelCallID, promptTokens: Int) {
        self.id = id
        self.promptTokens = promptTokens
    }

    /// Takes a piece of the stream; cuts it between two characters where the stream gets longer than `limit` bytes.
    ///
    /// - Returns: What fits, and whether something was cut.
    mutating func admit(_ piece: String, limit: Int) -> (text: String, isCut: Bool) {
        let pieceBytes = piece.utf8.count
        guard pieceBytes > limit - byteCount else {
            byteCount += pieceBytes
            text += piece
            return (piece, false)
        }
        var room = max(0, limit - byteCount)
        var end = piece.startIndex
        while end < piece.endIndex {
            let next = piece.index(after: end)
            let bytes = piece[end..<next].utf8.count
            guard bytes <= room else { break }
            room -= bytes
            end = next
        }
        let fitting = String(piece[..<end])
        byteCount = max(byteCount, limit)
        text += fitting
        return (fitting, true)
    }

    /// The tokens of the call: as reported, else estimated from what was sent and what came.
    func usage(estimator: TokenEstimator) -> TurnEnd.Usage {
        if let reported {
            return TurnEnd.Usage(
                input: max(0, reported.input), cached: max(0, reported.cached), output: max(0, reported.output),
                estimated: false)
        }
        return TurnEnd.Usage(
            input: promptTokens, cached: 0, output: estimator.tokens(in: text), estimated: true)
    }
}
