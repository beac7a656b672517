// JSONReader+Quick: the commonest spellings of values, read without calls or loops over single bytes.
// Spec: RFC 8259; see JSONReader

/// The commonest spellings of values: plain texts, short decimal numbers, no white space but one blank.
///
/// Goal: screens are nearly all of what clients send, and all alike; these read them in registers.
/// Plan: each takes the place to read at and moves it on only when it has read the whole value. Anything else, faults
/// included, it leaves to the general way, which therefore alone decides what is refused and how.
/// Each loads whole words and so needs ``slack`` bytes behind the place.
extension JSONReader {
    /// Bytes that must follow a place where a quick reading begins or goes on.
    static let slack = 24

    /// Whether quick readings may begin here.
    @inline(__always)
    func hasSlack(_ place: Int) -> Bool { place &+ Self.slack <= end }

    @inline(__always)
    func quickByte(_ place: Int) -> UInt8 { unsafe base[place] }

    /// Passes over one blank, as most writers put it, if it is there.
    @inline(__always)
    func quickBlank(_ place: inout Int) {
        if unsafe base[place] == 0x20 { place &+= 1 }
    }

    /// A text without escapes, from its opening quote to past its closing one.
    @inline(__always)
    func quickText(_ place: inout Int) -> (start: Int, count: Int, isASCII: Bool)? {
        guard unsafe base[place] == UInt8(ascii: "\"") else { return nil }
        let start = place &+ 1
        var at = start
        var isASCII = true
        while hasSlack(at) {
            var found = Self.special(word(at: at))
            if found == 0 {
                at &+= 8
                found = Self.special(word(at: at))
                if found == 0 {
                    at &+= 8
                    continue
                }
            }
            at &+= found.trailingZeroBitCount >> 3
            let byte = unsafe base[at]
            if byte == UInt8(ascii: "\"") {
                place = at &+ 1
                return (start, at &- start, isASCII)
            }
            guard byte >= 0x80, let next = quickSequences(at) else { return nil }
            isASCII = false
            at = next
        }
        return nil
    }

    /// The place after the sequences of two and three bytes that begin here; nil where one is of another kind.
    @inline(__always)
    private func quickSequences(_ place: Int) -> Int? {
        var at = place
        while hasSlack(at) {
            let unit = UInt32(littleEndian: unsafe UnsafeRawPointer(base + at).loadUnaligned(as: UInt32.self))
            if unit & 0xC0_C0F0 == 0x80_80E0 {
                // Not the surrogates, and not what has a shorter spelling.
                let head = unit & 0x200F
                guard head != 0x200D, head != 0 else { return nil }
                at &+= 3
            } else if unit & 0xC0E0 == 0x80C0 {
                guard unit & 0x1E != 0 else { return nil }
                at &+= 2
            } else {
                return unit & 0x80 == 0 ? at : nil
            }
        }
        return nil
    }

    /// A name of at most eight bytes, from its opening quote to past its closing one.
    @inline(__always)
    func quickName(_ place: inout Int) -> UInt64? {
        guard unsafe base[place] == UInt8(ascii: "\"") else { return nil }
        let low = word(at: place &+ 1)
        let found = Self.special(low)
        let count = found == 0 ? 8 : found.trailingZeroBitCount >> 3
        guard unsafe base[place &+ 1 &+ count] == UInt8(ascii: "\"") else { return nil }
        place &+= count &+ 2
        return found == 0 ? low : low & Self.below(found)
    }

    /// Four numbers in brackets.
    @inline(__always)
    func quickBox(_ place: inout Int) -> Box? {
        guard unsafe base[place] == UInt8(ascii: "[") else { return nil }
        var at = place &+ 1
        guard let x = quickNumber(&at, before: UInt8(ascii: ",")), let y = quickNumber(&at, before: UInt8(ascii: ",")),
            let width = quickNumber(&at, before: UInt8(ascii: ",")),
            let height = quickNumber(&at, before: UInt8(ascii: "]"))
        else { return nil }
        guard let box = Box(x: x, y: y, width: width, height: height) else { return nil }
        place = at
        return box
    }

    /// A number of at most seven digits before the point and seven behind it, and the byte after it.
    @inline(__always)
    private func quickNumber(_ place: inout Int, before mark: UInt8) -> Double? {
        var at = place
        quickBlank(&at)
        guard hasSlack(at) else { return nil }
        let isNegative = unsafe base[at] == UInt8(ascii: "-")
        if isNegative { at &+= 1 }
        var significand: UInt64 = 0
        if unsafe base[at] == UInt8(ascii: "0") {
            at &+= 1
        } else {
            guard let (whole, count) = Self.digits(word(at: at)) else { return nil }
            significand = whole
            at &+= count
        }
        var magnitude: Double
        if unsafe base[at] == UInt8(ascii: ".") {
            guard let (fraction, count) = Self.digits(word(at: at &+ 1)) else { return nil }
            at &+= count &+ 1
            let scale = Self.powerOfTen(count)
            // Both factors are exact, so the one rounding of the division is the right one.
            magnitude = Double(significand &* scale.whole &+ fraction) / scale.double
        } else {
            magnitude = Double(significand)
        }
        guard unsafe base[at] == mark else { return nil }
        place = at &+ 1
        return isNegative ? -magnitude : magnitude
    }

    /// The value of the one to seven digits that a word begins with, and how many they are.
    @inline(__always)
    private static func digits(_ word: UInt64) -> (value: UInt64, count: Int)? {
        let values = word ^ 0x3030_3030_3030_3030
        let others = (values &+ 0x7676_7676_7676_7676 | values) & 0x8080_8080_8080_8080
        let bits = others.trailingZeroBitCount & ~7
        guard others != 0, bits != 0 else { return nil }
        // To the end of the word, zeros before them; then pairs, fours and eights are added up.
        var sum = values &<< UInt64(truncatingIfNeeded: 64 &- bits)
        sum = sum &* 10 &+ (sum &>> 8)
        let low = (sum & 0xFF_0000_00FF) &* 0xF_4240_0000_0064
        let high = (sum &>> 16 & 0xFF_0000_00FF) &* 0x2710_0000_0001
        return ((low &+ high) &>> 32, bits &>> 3)
    }

    @inline(__always)
    private static func powerOfTen(_ exponent: Int) -> (whole: UInt64, double: Double) {
        switch exponent {
        case 1: (10, 10)
        case 2: (100, 100)
        case 3: (1_000, 1_000)
        case 4: (10_000, 10_000)
        case 5: (100_000, 100_000)
        case 6: (1_000_000, 1_000_000)
        default: (10_000_000, 10_000_000)
        }
    }

    /// The text as a String; its bytes have been checked.
    @inline(__always)
    func checkedString(start: Int, count: Int, isASCII: Bool) -> String {
        let bytes = unsafe Span(_unsafeStart: base + start, count: count)
        return unsafe String(copying: UTF8Span(unchecked: bytes, isKnownASCII: isASCII))
    }
}
