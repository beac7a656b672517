// TagScanner: recognises one inline tag, scalar by scalar.
// Spec: docs/architecture.md (what the model says)

import TutorProtocol

/// Recognises one inline tag, scalar by scalar, and gives up at the first scalar that no tag can have there.
///
///     tag      = "[[" gap ( number *( "," gap number ) [ "|" label ] / number sep verb [ ":" argument ] / sum ) "]]"
///     number   = [ "#" ] 1*DIGIT *4flag gap       ; flag: a mark that prompts write behind an alias, "14b-"
///     sep      = 1*SP / ":" gap
///     verb     = "tap" / "type" / "select" / "scroll" / "read" / "wait"      ; any case
///     argument = text without a line end; after "type" and "select" the ":" may be a space;
///                brackets and parentheses nest, so that [[13 type:(0,1]]] types "(0,1]"
///     sum      = ( "sum" / "summary" ) gap [ ":" ] text       ; ends at its "]]", at a line end, or with the answer
///     gap      = *SP
///
/// Full-width brackets, digits, colons and commas count as their ASCII forms. A single `]` is enough after one number
/// or a verb, as in `[[12], [[13]]`, unless it begins a row of a matrix (`[[1], [2]]`) or a link (`[[1](…)`).
/// A number too large for an `Int` reads as `Int.max`: nothing has that alias, so it is dropped like any invention.
struct TagScanner {
    /// A complete tag.
    enum Tag {
        case action(Int, NextAction.Verb, String?)
        case points([Int])
        case summary(String)
    }

    /// What one more scalar made of it.
    enum Step {
        /// The scalar ends the tag.
        case complete(Tag)
        /// The tag ended `keeping` scalars before this one; those and this one are what follows it.
        case completeBefore(Tag, keeping: Int)
        /// It is no tag.
        case fail
        /// It may become a tag.
        case viable
    }

    private enum Phase {
        case argument
        case bracket
        case closing
        case comma
        case digits
        case flags
        case gap
        case idle
        case label
        case late
        case lateBracket
        case start
        case word
        case wordGap
    }

    /// Whether only `[[sum: …]]` counts, as inside code.
    let onlySummary: Bool
    /// Scalars of the argument so far; they may hold tags of their own when this one turns out to be none.
    private(set) var argumentCount = 0
    /// Whether a summary is longer than what is kept of it; the rest is read but not stored.
    private(set) var isSwallowing = false

    private var phase = Phase.idle
    private var byteCount = 0
    private var numbers: [Int] = []
    private var flagCount = 0
    private var word = ""
    private var argument = ""
    private var depth = 0
    private var closerRun = 0
    private var lateCount = 0
    private var hasLabel = false
    private var hasSpace = false

    init(onlySummary: Bool = false) {
        self.onlySummary = onlySummary
    }

    /// A scanner that has read one opening bracket.
    static let afterBracket = Self(in: .bracket)

    /// A scanner that has read both opening brackets.
    static let afterBrackets = Self(in: .start)

    private init(in phase: Phase) {
        onlySummary = false
        self.phase = phase
        byteCount = phase == .start ? 2 : 1
    }

    /// Whether nothing has been read.
    var isIdle: Bool { phase == .idle }

    /// Whether it has read the opening brackets and nothing else.
    var isAtStart: Bool { phase == .start && !hasSpace }

    /// Whether the word is that of a summary.
    var isSummary: Bool { numbers.isEmpty && Self.summaryWords.contains(word) }

    /// Reads one scalar.
    ///
    /// After a failure at a bracket or at `<` the state is still that of what came before.
    mutating func advance(_ scalar: Unicode.Scalar) -> Step {
        let shape = scalar.tagShape
        byteCount += UTF8.width(scalar)
        if byteCount > limit {
            guard phase == .argument, isSummary, !onlySummary else { return .fail }
            // A long summary is cut, not shown: what follows its first bytes on the line is read and let go.
            isSwallowing = true
            if byteCount > Self.summaryLineBytes { return .completeBefore(tag(), keeping: 0) }
        }
        switch phase {
        case .idle:
            guard shape == "[" else { return .fail }
            phase = .bracket
        case .bracket:
            guard shape == "[" else { return .fail }
            phase = .start
        case .start:
            return start(shape)
        case .comma:
            return nextNumber(shape)
        case .digits, .flags, .gap:
            return afterNumber(shape)
        case .label:
            if shape == "[" || shape.isLineEnd { return .fail }
            if shape == "]" { phase = .closing }
        case .word, .wordGap:
            return spell(shape, scalar)
        case .argument:
            return argue(shape, scalar)
        case .closing, .late, .lateBracket:
            return close(shape)
        }
        return .viable
    }

    /// The tag, if the answer ends here: one whose last bracket is missing, and a summary that was cut.
    func tagAtEnd() -> (tag: Tag, keeping: Int)? {
        switch phase {
        case .argument:
            if closerRun > depth, closerRun >= 2 { return (tag(dropping: 2), 0) }
            return isSummary ? (tag(dropping: closerRun > depth ? 1 : 0), 0) : nil
        case .closing:
            return canCloseEarly || isSummary ? (tag(), 0) : nil
        case .late, .lateBracket:
            return (tag(), lateCount)
        case .bracket, .comma, .digits, .flags, .gap, .idle, .label, .start, .word, .wordGap:
            return nil
        }
    }

    // MARK: - Phases

    private mutating func start(_ shape: Unicode.Scalar) -> Step {
        if shape.isInlineSpace {
            hasSpace = true
            return .viable
        }
        if shape.isLetter {
            phase = .word
            return spell(shape, shape)
        }
        if onlySummary { return .fail }
        if shape == "#" {
            phase = .comma
            return .viable
        }
        return nextNumber(shape)
    }

    private mutating func nextNumber(_ shape: Unicode.Scalar) -> Step {
        if shape.isInlineSpace || shape == "#" { return .viable }
        guard let digit = shape.digit, numbers.count < Self.maximumNumbers else { return .fail }
        numbers.append(digit)
        flagCount = 0
        phase = .digits
        return .viable
    }

    private mutating func afterNumber(_ shape: Unicode.Scalar) -> Step {
        if phase == .digits, let digit = shape.digit, let last = numbers.last {
            let (tens, overflowed) = last.multipliedReportingOverflow(by: 10)
            let (sum, overflowedToo) = tens.addingReportingOverflow(digit)
            numbers[numbers.count - 1] = overflowed || overflowedToo ? Int.max : sum
            return .viable
        }
        switch shape {
        case "]":
            phase = .closing
        case ",":
            phase = .comma
        case "|":
            phase = .label
            hasLabel = true
        case ":" where numbers.count == 1 && phase != .gap:
            phase = .gap
        case _ where shape.isInlineSpace:
            phase = .gap
        case _ where phase != .gap && flagCount < Self.maximumFlags && Self.flags.contains(shape):
            flagCount += 1
            phase = .flags
        case _ where phase == .gap && numbers.count == 1 && shape.isLetter:
            phase = .word
            return spell(shape, shape)
        default:
            return .fail
        }
        return .viable
    }

    /// Reads the verb, or the word of a summary, and what may stand between it and its argument.
    private mutating func spell(_ shape: Unicode.Scalar, _ scalar: Unicode.Scalar) -> Step {
        if phase == .word, shape.isLetter {
            word.unicodeScalars.append(shape.lowercased)
            let words = numbers.isEmpty ? Self.summaryWords : Self.verbs
            return words.contains { $0.hasPrefix(word) } ? .viable : .fail
        }
        guard isSummary || verb != nil else { return .fail }
        switch shape {
        case ":":
            phase = .argument
        case "]":
            phase = .closing
        case _ where shape.isInlineSpace:
            phase = .wordGap
        case _ where isSummary || (phase == .wordGap && verbTakesArgument):
            // A colon left out is no reason to show the tag.
            phase = .argument
            return argue(shape, scalar)
        default:
            return .fail
        }
        return .viable
    }

    private mutating func argue(_ shape: Unicode.Scalar, _ scalar: Unicode.Scalar) -> Step {
        if shape == "]" {
            closerRun += 1
            // Brackets that the argument opened are its own; the two after them are the tag's.
            if closerRun >= depth + 2 { return .complete(tag(dropping: 1)) }
        } else {
            if closerRun >= 2, closerRun > depth { return .completeBefore(tag(dropping: 2), keeping: 0) }
            depth = max(0, depth - closerRun)
            closerRun = 0
            if shape.isLineEnd { return isSummary ? .completeBefore(tag(), keeping: 0) : .fail }
            if shape == "[" || shape == "(" { depth += 1 }
            if shape == ")" { depth = max(0, depth - 1) }
            // Bounds how often a scalar is read again when tags are nested and none of them ends.
            if depth > Self.maximumDepth, !isSummary { return .fail }
        }
        argumentCount += 1
        if !isSwallowing { argument.unicodeScalars.append(scalar) }
        return .viable
    }

    private mutating func close(_ shape: Unicode.Scalar) -> Step {
        if phase == .closing {
            if shape == "]" { return .complete(tag()) }
            guard canCloseEarly || isSummary, shape != "(" else { return .fail }
        }
        if phase == .lateBracket {
            return shape == "[" ? .completeBefore(tag(), keeping: lateCount) : .fail
        }
        guard word.isEmpty, shape == "[" || shape == "," || shape.isInlineSpace else {
            return .completeBefore(tag(), keeping: lateCount)
        }
        lateCount += 1
        phase = shape == "[" ? .lateBracket : .late
        return .viable
    }

    // MARK: - Parts

    /// `[[1, 2], …` is a matrix, not two references.
    private var canCloseEarly: Bool { numbers.count == 1 && !hasLabel }

    private var verb: NextAction.Verb? { numbers.isEmpty ? nil : NextAction.Verb(rawValue: word) }

    private var verbTakesArgument: Bool { verb == .type || verb == .select }

    private var limit: Int {
        phase == .argument && (isSummary || verbTakesArgument) ? Self.longBytes : Self.shortBytes
    }

    /// The tag as read; `dropping` is how many of the argument's last scalars are the tag's own brackets.
    private func tag(dropping count: Int = 0) -> Tag {
        guard let verb, let number = numbers.first else {
            return numbers.isEmpty ? .summary(argument(dropping: count)) : .points(numbers)
        }
        let text = argument(dropping: count)
        return .action(number, verb, verbTakesArgument && !text.isEmpty ? text : nil)
    }

    private func argument(dropping count: Int) -> String {
        var scalars = argument.unicodeScalars[...]
        for _ in 0..<count where scalars.last?.tagShape == "]" { scalars.removeLast() }
        while let last = scalars.last, last.isInlineSpace { scalars.removeLast() }
        while let first = scalars.first, first.isInlineSpace { scalars.removeFirst() }
        return String(scalars)
    }

    private static let verbs = NextAction.Verb.allCases.map(\.rawValue)
    private static let summaryWords = ["sum", "summary"]
    private static let flags: Set<Unicode.Scalar> = ["b", "i", "l", "s", "w", "n", "!", "*", "-", ">", "#"]
    private static let maximumFlags = 4
    private static let maximumNumbers = 8
    private static let maximumDepth = 8
    /// Longest tag without an argument, in bytes.
    private static let shortBytes = 64
    /// Longest tag with an argument, and most that is kept of a summary, in bytes.
    private static let longBytes = 512
    /// How much of one line may be a summary, in bytes; what lies beyond is the answer again.
    private static let summaryLineBytes = 2_048
}
