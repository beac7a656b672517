// AnswerParser: takes a model's streamed answer apart into text, references, actions and the summary.
// Spec: docs/architecture.md (what the model says), docs/protocol.md §5 rules 6-8

/// Takes a model's streamed answer apart into text, references, actions and the summary.
///
/// Goal: how the answer is cut into chunks changes nothing; a reference leaves with the chunk that completes its tag;
/// what the student sees holds no tag outside code and maths, even when the stream is cut inside one.
///
/// Plan: one scalar at a time. White space is held until something follows, so that none is left over where a tag
/// stood. An open tag is held: at most 64 bytes, 512 with an argument, then it is text. ``TagScanner`` has the
/// grammar, ``VerbatimContext`` knows code and maths, `<think>` blocks are skipped outside code. Where a tag is removed
/// from between others' brackets, the scanner goes on from what was shown before it, so that `[[[[1]]2]]` leaves no
/// tag behind either.
///
/// Cost: linear. Only the argument of a tag that turns out to be text is read again, once for each open bracket in it.
public struct AnswerParser: Sendable {
    /// Scalars looked at, those looked at again included; tests hold it against the length of the input.
    package private(set) var stepCount = 0

    private var pieces: [AnswerPiece] = []
    private var text = ""
    private var layout = TagSpacing()
    private var context = VerbatimContext()

    private var scanner = TagScanner()
    /// The scanner's state for the text that was shown before the held scalars.
    private var shown = TagScanner()
    private var held: [Unicode.Scalar] = []
    private var marker: ThinkMarker?
    /// A `[[sum: …]]` inside code: the summary if nothing follows, as after a fence that the model forgot to close.
    private var tentative: String?
    private var isThinking = false

    /// Makes a parser for one answer.
    public init() {}

    /// Reads a piece of the answer; whole scalars, cut anywhere.
    public mutating func receive(_ text: String) -> [AnswerPiece] {
        for scalar in text.unicodeScalars {
            stepCount += 1
            let again = step(scalar)
            if !again.isEmpty { read(again) }
        }
        return takePieces()
    }

    /// Ends the answer, complete or cut.
    ///
    /// An unfinished summary counts, any other unfinished tag is dropped.
    public mutating func finish() -> [AnswerPiece] {
        if let summary = tentative {
            emit(.summary(summary))
        } else if let marker {
            if marker.isUnmistakable { layout.removeTag() } else { showHeld() }
        } else if !scanner.isIdle, !held.isEmpty {
            finishTag()
        }
        if !layout.isAfterTag { text += layout.settle(before: nil) }
        held = []
        return takePieces()
    }

    // MARK: - Scalars

    private mutating func read(_ scalars: [Unicode.Scalar]) {
        var waiting = Array(scalars.reversed())
        while let scalar = waiting.popLast() {
            stepCount += 1
            waiting += step(scalar).reversed()
        }
    }

    /// Reads one scalar and returns those that have to be read (again) after it.
    private mutating func step(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        if isThinking || marker != nil { return stepMarker(scalar) }
        if tentative != nil {
            if scalar.isInlineSpace || scalar.isLineEnd, held.count < Self.maximumTentative {
                held.append(scalar)
                return []
            }
            tentative = nil
            showHeld()
        }
        if scanner.isIdle { return begin(scalar, after: TagScanner()) }
        if scanner.isAtStart, scalar.tagShape == "[" {
            shiftBrackets(scalar)
            return []
        }
        switch scanner.advance(scalar) {
        case .viable:
            if !scanner.isSwallowing { held.append(scalar) }
            return []
        case .complete(let tag):
            held.append(scalar)
            complete(tag, keeping: 0)
            return []
        case .completeBefore(let tag, let keeping):
            let rest = Array(held.suffix(keeping))
            complete(tag, keeping: keeping)
            return rest + [scalar]
        case .fail:
            return giveUp(at: scalar)
        }
    }

    /// Begins a tag or a mark with the scalar, or shows it.
    ///
    /// `after` is what the text shown so far might still become.
    private mutating func begin(_ scalar: Unicode.Scalar, after: TagScanner) -> [Unicode.Scalar] {
        if scalar.tagShape == "[" {
            scanner = TagScanner(onlySummary: context.isVerbatim)
            _ = scanner.advance(scalar)
            held = [scalar]
            shown = after
        } else if scalar == "<", !context.isCode {
            shown = after
            held = []
            marker = ThinkMarker()
            return stepMarker(scalar)
        } else {
            shown = TagScanner()
            show(scalar)
        }
        return []
    }

    /// A third opening bracket: the first is text.
    private mutating func shiftBrackets(_ scalar: Unicode.Scalar) {
        guard let first = held.first else {
            // Both were shown before a removed tag; the second of them and this one can still open a tag.
            held = [scalar]
            scanner = TagScanner.afterBrackets
            return
        }
        held = Array(held.dropFirst()) + [scalar]
        show(first)
        if !scanner.onlySummary { shown = shown.isIdle ? .afterBracket : .afterBrackets }
    }

    private mutating func giveUp(at scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let before = scanner
        // An argument may hold tags; everything before it cannot.
        let again = Array(held.suffix(before.argumentCount))
        held.removeLast(again.count)
        showHeld()
        guard let first = again.first else { return begin(scalar, after: before) }
        return begin(first, after: before) + again.dropFirst() + [scalar]
    }

    private mutating func complete(_ tag: TagScanner.Tag, keeping: Int) {
        if scanner.onlySummary {
            if case .summary(let line) = tag { tentative = line }
            scanner = TagScanner()
            return
        }
        held = []
        scanner = shown
        deliver(tag)
    }

    private mutating func finishTag() {
        if let (tag, keeping) = scanner.tagAtEnd() {
            let rest = held.suffix(keeping)
            held = []
            deliver(tag)
            for scalar in rest { show(scalar) }
        } else if scanner.onlySummary, !scanner.isSummary {
            showHeld()
        } else {
            layout.removeTag()
        }
    }

    private mutating func stepMarker(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        if marker == nil {
            if scalar == "<" {
                marker = ThinkMarker()
                _ = marker?.advance(scalar)
            }
            return []
        }
        switch marker?.advance(scalar) {
        case .viable:
            if !isThinking { held.append(scalar) }
        case .open:
            marker = nil
            isThinking = true
            held = []
        case .close:
            marker = nil
            isThinking = false
            held = []
            scanner = shown
            layout.removeTag()
        case .fail, nil:
            marker = nil
            if isThinking { return scalar == "<" ? [scalar] : [] }
            showHeld()
            return begin(scalar, after: TagScanner())
        }
        return []
    }

    // MARK: - Output

    private mutating func show(_ scalar: Unicode.Scalar) {
        context.advance(scalar)
        if scalar.isInlineSpace || scalar.isLineEnd {
            text += layout.addSpace(scalar)
        } else {
            text += layout.settle(before: scalar)
            text.unicodeScalars.append(scalar)
        }
    }

    private mutating func showHeld() {
        for scalar in held { show(scalar) }
        held = []
        scanner = TagScanner()
    }

    private mutating func deliver(_ tag: TagScanner.Tag) {
        layout.removeTag()
        switch tag {
        case .action(let alias, let verb, let argument):
            emit(.action(alias: alias, verb: verb, argument: argument))
        case .points(let aliases):
            for alias in aliases { emit(.point(alias: alias)) }
        case .summary(let line):
            emit(.summary(line))
        }
    }

    private mutating func emit(_ piece: AnswerPiece) {
        flushText()
        if case .summary(let line) = piece {
            layout.removeTag()
            let clean = TagScanner.removingTags(from: line)
            if !clean.isEmpty { pieces.append(.summary(clean)) }
        } else {
            pieces.append(piece)
        }
    }

    private mutating func flushText() {
        if !text.isEmpty { pieces.append(.text(text)) }
        text = ""
    }

    private mutating func takePieces() -> [AnswerPiece] {
        flushText()
        defer { pieces = [] }
        return pieces
    }

    /// Most scalars of a tentative summary and the white space after it.
    private static let maximumTentative = 576
}
