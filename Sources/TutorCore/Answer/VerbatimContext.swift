// VerbatimContext: whether the text read so far ends inside code or maths.
// Spec: docs/architecture.md (what the model says)

/// Whether the text read so far ends inside code or maths, where `[[` is text.
///
/// A streaming approximation of Markdown that never looks ahead and never lets one stray mark swallow the answer:
/// inline code and `$…$` end with their line at the latest, `$$…$$` at a blank line; a fence needs its closing line.
/// A `$` opens maths unless a space follows, or an ASCII letter or digit or a backslash comes before; it closes maths
/// unless a space comes before or a digit follows; and see ``MathsGuess`` for prices.
struct VerbatimContext {
    private enum Mode: Equatable {
        case code(ticks: Int)
        case display
        case fence
        case fenceInfo
        case maths
        case plain
    }

    /// A run of the same mark, whose meaning depends on what ends it.
    private struct Run {
        var count = 0
        var isAtHead = false
        var follows: Unicode.Scalar = "\n"
    }

    private var mode = Mode.plain
    private var guess = MathsGuess()
    private var ticks = Run()
    private var tildes = Run()
    private var dollars = Run()
    private var fenceMark: Unicode.Scalar = "`"
    private var fenceLength = 0
    private var isFenceClosing = false
    private var previous: Unicode.Scalar = "\n"
    private var isEscaped = false
    private var isAtHead = true
    private var isLineBlank = true

    /// Whether a `[` that comes next is inside code or maths.
    var isVerbatim: Bool {
        let next = settled
        switch next.mode {
        case .plain: return false
        case .code, .fenceInfo: return true
        case .fence: return !next.isFenceClosing
        case .maths, .display: return next.guess.isMaths
        }
    }

    /// Whether what comes next is inside code.
    var isCode: Bool {
        switch settled.mode {
        case .code, .fence, .fenceInfo: true
        case .plain, .maths, .display: false
        }
    }

    /// Reads one scalar of the text.
    mutating func advance(_ scalar: Unicode.Scalar) {
        settle(before: scalar)
        if scalar == "\n" { return endLine() }
        let escapes = isEscaped
        isEscaped = false
        switch scalar {
        case "`" where !escapes:
            if ticks.count == 0 { ticks = Run(isAtHead: isAtHead, follows: previous) }
            ticks.count += 1
        case "~" where isAtHead || tildes.count > 0:
            if tildes.count == 0 { tildes = Run(isAtHead: true, follows: previous) }
            tildes.count += 1
        case "$" where !escapes:
            readDollar()
        case "\\" where !escapes:
            isEscaped = mode == .plain || isFormula
            if isFormula { guess.advance(scalar) }
        default:
            if isFormula { guess.advance(scalar) }
        }
        let isSpace = scalar.isInlineSpace || scalar == "\r"
        if !isSpace {
            isLineBlank = false
            if scalar != fenceMark { isFenceClosing = false }
        }
        if isAtHead, !isSpace {
            isAtHead = scalar == ">" || (mode == .plain && (Self.listMarks.contains(scalar) || scalar.digit != nil))
        }
        previous = scalar
    }

    // MARK: - Marks

    private var isFormula: Bool { mode == .maths || mode == .display }

    private var settled: Self {
        var next = self
        next.settle(before: "[")
        return next
    }

    /// Gives the runs of marks that end here their meaning.
    private mutating func settle(before next: Unicode.Scalar) {
        if ticks.count > 0, next != "`" { settleTicks() }
        if tildes.count > 0, next != "~" { settleTildes() }
        if dollars.count > 0, next != "$" { settleDollar(before: next) }
    }

    private mutating func settleTicks() {
        let run = ticks
        ticks = Run()
        switch mode {
        case .plain, .maths, .display:
            // Code is read before maths: a formula holds no backtick, so the `$` before it was a price.
            if run.isAtHead, run.count >= 3 { openFence("`", run.count) } else { mode = .code(ticks: run.count) }
        case .code(let count):
            if run.count == count { mode = .plain }
        case .fenceInfo:
            // ```like this``` is inline code: the first line of a fence holds no backticks.
            if fenceMark == "`" { mode = run.count == fenceLength ? .plain : .code(ticks: fenceLength) }
        case .fence:
            closeFence("`", run)
        }
    }

    private mutating func settleTildes() {
        let run = tildes
        tildes = Run()
        if mode == .fence {
            closeFence("~", run)
        } else if mode == .plain, run.count >= 3 {
            openFence("~", run.count)
        }
    }

    private mutating func openFence(_ mark: Unicode.Scalar, _ count: Int) {
        mode = .fenceInfo
        fenceMark = mark
        fenceLength = count
    }

    private mutating func closeFence(_ mark: Unicode.Scalar, _ run: Run) {
        isFenceClosing = run.isAtHead && fenceMark == mark && run.count >= fenceLength
    }

    private mutating func readDollar() {
        guard dollars.count == 1 else {
            dollars = Run(count: 1, follows: previous)
            return
        }
        dollars = Run()
        switch mode {
        case .plain:
            mode = .display
            guess = MathsGuess()
        case .display:
            mode = .plain
        case .maths:
            // `$a$$b$`: the first closes, the second opens.
            mode = .plain
            dollars = Run(count: 1, follows: "$")
        case .code, .fence, .fenceInfo:
            break
        }
    }

    private mutating func settleDollar(before next: Unicode.Scalar) {
        let before = dollars.follows
        dollars = Run()
        let nextIsSpace = next.isInlineSpace || next.isLineEnd
        switch mode {
        case .plain:
            guard !nextIsSpace, !before.isLetter, before.digit == nil else { return }
        case .maths:
            let closes = !before.isInlineSpace && next.digit == nil
            if closes { mode = .plain }
            // `$5 or $6`: the second is no end but another price.
            if closes || nextIsSpace { return }
        case .code, .display, .fence, .fenceInfo:
            return
        }
        mode = .maths
        guess = MathsGuess()
    }

    private mutating func endLine() {
        switch mode {
        case .code, .maths: mode = .plain
        case .display:
            if isLineBlank { mode = .plain }
            guess.advance(" ")
        case .fence:
            if isFenceClosing { mode = .plain }
        case .fenceInfo: mode = .fence
        case .plain: break
        }
        isFenceClosing = false
        isEscaped = false
        isAtHead = true
        isLineBlank = true
        previous = "\n"
    }

    /// What may stand before a fence on its line: quote and list marks, and the digits of a numbered list.
    private static let listMarks: Set<Unicode.Scalar> = ["-", "*", "+", ".", ")"]
}
