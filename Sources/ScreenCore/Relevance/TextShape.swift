// TextShape: what kind of answer a text could be, by its form alone.
// Spec: docs/relevance.md (answer shape)

/// What kind of answer a text could be, by its form alone, such as a price, a date or a count.
struct TextShape: OptionSet, Sendable, Hashable {
    let rawValue: UInt32

    static let money = Self(rawValue: 1 << 0)
    static let date = Self(rawValue: 1 << 1)
    static let time = Self(rawValue: 1 << 2)
    static let duration = Self(rawValue: 1 << 3)
    static let percent = Self(rawValue: 1 << 4)
    static let phone = Self(rawValue: 1 << 5)
    static let email = Self(rawValue: 1 << 6)
    static let address = Self(rawValue: 1 << 7)
    static let version = Self(rawValue: 1 << 8)
    static let number = Self(rawValue: 1 << 9)
    static let fraction = Self(rawValue: 1 << 10)
    static let length = Self(rawValue: 1 << 11)
    static let temperature = Self(rawValue: 1 << 12)
    static let quantity = Self(rawValue: 1 << 13)
    static let decimal = Self(rawValue: 1 << 14)
    static let year = Self(rawValue: 1 << 15)
    static let names = Self(rawValue: 1 << 16)
    static let place = Self(rawValue: 1 << 17)
    /// Mostly digits and marks: the text is the value itself.
    static let bare = Self(rawValue: 1 << 18)

    /// The word for a reason.
    var name: String {
        for (shape, name) in Self.named where !isDisjoint(with: shape) { return name }
        return "text"
    }

    private static let named: [(TextShape, String)] = [
        (.money, "price"), (.date, "date"), (.time, "time"), (.duration, "time"), (.percent, "percent"),
        (.phone, "phone"), (.email, "email"), (.address, "url"), (.version, "version"), (.temperature, "degrees"),
        (.length, "distance"), (.quantity, "amount"), (.fraction, "count"), (.year, "year"), (.decimal, "number"),
        (.number, "count"), (.place, "place"), (.names, "name"),
    ]
}

/// Reads the shape of a text in one pass over its pieces.
struct TextShapeReader {
    private enum Piece {
        case number(digits: Int, value: Int)
        case word(String, isCapitalised: Bool)
        case mark(UInt32)
    }

    /// Pieces of a text that are looked at; a value stands near the beginning or the text is not short.
    private static let maximumPieces = 80

    private var pieces: [Piece] = []
    private var shape: TextShape = []

    static func shape(of text: String) -> TextShape {
        var reader = TextShapeReader()
        reader.split(text)
        reader.judge()
        return reader.shape
    }

    private mutating func split(_ text: String) {
        var digits = 0
        var value = 0
        var letters = ""
        var isCapitalised = false
        func flush(_ pieces: inout [Piece]) {
            if digits > 0 { pieces.append(.number(digits: digits, value: value)) }
            if !letters.isEmpty { pieces.append(.word(letters, isCapitalised: isCapitalised)) }
            digits = 0
            value = 0
            letters = ""
        }
        for scalar in text.unicodeScalars {
            if pieces.count >= Self.maximumPieces { break }
            let folded = CharacterClass.folded(scalar)
            switch CharacterClass(folded) {
            case .digit:
                if !letters.isEmpty { flush(&pieces) }
                digits += 1
                if digits <= 9 { value = value * 10 + Int(folded - 0x30) }
            case .letter:
                if digits > 0 { flush(&pieces) }
                if letters.isEmpty { isCapitalised = folded != scalar.value }
                if letters.utf8.count < 24 { letters.unicodeScalars.append(Unicode.Scalar(folded) ?? scalar) }
            case .ideograph:
                flush(&pieces)
                pieces.append(.word(String(Character(scalar)), isCapitalised: false))
            case .apostrophe, .other:
                flush(&pieces)
                if folded != 0x20 { pieces.append(.mark(folded)) }
            }
        }
        flush(&pieces)
    }

    private mutating func judge() {
        var numbers = 0
        var words = 0
        var capitals = 0
        for position in pieces.indices {
            switch pieces[position] {
            case .number(let digits, let value):
                numbers += 1
                judgeNumber(at: position, digits: digits, value: value)
            case .word(let word, let isCapitalised):
                words += 1
                if isCapitalised { capitals += 1 }
                judgeWord(word, at: position)
            case .mark(let mark):
                judgeMark(mark, at: position)
            }
        }
        if numbers > 0 {
            shape.insert(.number)
            if words <= 1 { shape.insert(.bare) }
        }
        if words > 0, words <= 5, capitals == words, numbers == 0 { shape.insert(.names) }
    }

    private mutating func judgeNumber(at position: Int, digits: Int, value: Int) {
        if digits == 4, (1_900...2_100).contains(value) { shape.insert(.year) }
        if digits >= 10 { shape.insert(.phone) }
        let mark = mark(position + 1)
        if let next = number(position + 2) {
            switch mark {
            case 0x3A: shape.insert(number(position + 4) != nil ? [.duration, .time] : .time)
            case 0x2F where number(position + 4) != nil: shape.insert(.date)
            case 0x2F: shape.insert(.fraction)
            case 0x2E where self.mark(position + 3) == 0x2E && number(position + 4) != nil:
                shape.insert(digits == 4 || next.digits == 2 && digits <= 2 ? [.date, .version] : .version)
            case 0x2E: shape.insert(.decimal)
            case 0x2D where self.mark(position + 3) == 0x2D && number(position + 4) != nil:
                shape.insert(digits <= 4 && next.digits <= 2 ? .date : .phone)
            default: break
            }
        }
        guard let word = word(position + 1) ?? (mark == 0x2E ? word(position + 3) : nil) else { return }
        shape.formUnion(UnitWords.shapes[word] ?? [])
    }

    private mutating func judgeWord(_ word: String, at position: Int) {
        guard let found = UnitWords.calendar[word] else { return }
        // "May" and "Mon" are also words; next to a number they are dates.
        if found == .date,
            word.utf8.count > 3 || number(position + 1) != nil || number(position - 1) != nil
                || pieces.count <= 3
        {
            shape.insert(.date)
        } else if found != .date {
            shape.formUnion(found)
        }
    }

    private mutating func judgeMark(_ mark: UInt32, at position: Int) {
        switch mark {
        case 0x24, 0xA3, 0xA5, 0x20AC, 0x20B9, 0x20A9, 0xA2: shape.insert(.money)
        case 0x25: if number(position - 1) != nil { shape.insert(.percent) }
        case 0xB0: shape.insert(.temperature)
        case 0x40: if word(position - 1) != nil, word(position + 1) != nil { shape.insert(.email) }
        case 0x2C: if word(position - 1) != nil, word(position + 1) != nil, pieces.count <= 9 { shape.insert(.place) }
        default: break
        }
    }

    private func number(_ position: Int) -> (digits: Int, value: Int)? {
        guard pieces.indices.contains(position), case .number(let digits, let value) = pieces[position] else {
            return nil
        }
        return (digits, value)
    }

    private func word(_ position: Int) -> String? {
        guard pieces.indices.contains(position), case .word(let word, _) = pieces[position] else { return nil }
        return word
    }

    private func mark(_ position: Int) -> UInt32? {
        guard pieces.indices.contains(position), case .mark(let mark) = pieces[position] else { return nil }
        return mark
    }
}
