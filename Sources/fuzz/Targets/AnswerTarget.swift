// AnswerTarget: how an answer is cut into chunks changes nothing, outside code and maths the student never sees a tag,
// what holds no mark is shown as it is, and the work is in proportion to the length.
// Spec: docs/architecture.md (what the model says)

import TutorCore

/// What an answer came to; texts that follow each other are one.
private struct AnswerReading: Equatable {
    var pieces: [AnswerPiece] = []

    var text: String {
        pieces.reduce(into: "") { if case .text(let more) = $1 { $0 += more } }
    }

    mutating func add(_ more: [AnswerPiece]) {
        for piece in more {
            if case .text(let new) = piece {
                invariant(!new.isEmpty, "an empty text")
                if case .text(let old) = pieces.last {
                    pieces[pieces.count - 1] = .text(old + new)
                    continue
                }
            }
            if case .summary(let line) = piece { invariant(!line.isEmpty, "an empty summary") }
            pieces.append(piece)
        }
    }
}

/// The input is the answer, as UTF-8; what is broken in it is replaced first, as where streams are decoded.
func fuzzAnswer(_ bytes: [UInt8]) {
    let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    // The cuts are made between scalars: whole ones are what the parser is given.
    let marks = scalars.map { UInt8(truncatingIfNeeded: $0.value) }
    let reading = Splits.agree(on: marks, "answer") { pieces in
        var parser = AnswerParser()
        var reading = AnswerReading()
        for piece in pieces { reading.add(parser.receive(string(scalars[piece.startIndex..<piece.endIndex]))) }
        reading.add(parser.finish())
        invariant(parser.stepCount <= 24 * scalars.count + 64, "\(parser.stepCount) steps for \(scalars.count)")
        return reading
    }
    let shown = reading.text
    if !scalars.contains(where: { "[\u{FF3B}<".unicodeScalars.contains($0) }) {
        invariant(shown == string(scalars[...]), "a text without marks became \(shown.debugDescription)")
    }
    if !scalars.contains(where: { "`~$".unicodeScalars.contains($0) }) {
        invariant(!hasReference(shown), "a tag is shown: \(shown.debugDescription)")
    }
}

private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
}

/// Whether a text holds `[[`, a number and `]]`, with spaces between them or not.
private func hasReference(_ text: String) -> Bool {
    var stage = 0
    for scalar in text.unicodeScalars {
        switch (scalar, stage) {
        case ("[", 1), ("\u{FF3B}", 1), ("[", 2), ("\u{FF3B}", 2): stage = 2
        case ("[", _), ("\u{FF3B}", _): stage = 1
        // Behind a space a bracket is the first of its own pair.
        case (" ", 2), ("#", 2), (" ", 6), ("#", 6): stage = 6
        case ("0"..."9", 2), ("0"..."9", 6), ("0"..."9", 3): stage = 3
        case (" ", 3), (" ", 4): stage = 4
        case ("]", 3), ("]", 4), ("\u{FF3D}", 3), ("\u{FF3D}", 4): stage = 5
        case ("]", 5), ("\u{FF3D}", 5): return true
        default: stage = 0
        }
    }
    return false
}
