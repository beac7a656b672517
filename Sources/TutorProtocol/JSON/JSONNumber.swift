// JSONNumber: a number of a JSON input before it is rounded.
// Spec: RFC 8259 §6

/// A number of a JSON input before it is rounded: ± significand x 10^exponent.
struct JSONNumber {
    /// Offset of its first byte.
    var start: Int
    /// Its length in bytes.
    var count = 0
    var isNegative = false
    /// The first 19 significant digits.
    var significand: UInt64 = 0
    /// Power of ten of the last of those digits.
    ///
    /// Kept within ±1 billion, far outside any Double.
    var exponent = 0
    /// Whether a digit other than 0 follows those 19.
    var isCut = false

    /// Whether it is exact in the words here and certainly finite.
    var isPlain: Bool { !isCut && exponent < 280 }

    /// Its value when it is whole and at most 2^53 - 1 either side of zero.
    var integer: Int64? {
        guard !isCut else { return nil }
        if significand == 0 { return 0 }
        var value = significand
        var exponent = exponent
        while exponent < 0 {
            let (quotient, remainder) = value.quotientAndRemainder(dividingBy: 10)
            guard remainder == 0, quotient != 0 else { return nil }
            value = quotient
            exponent += 1
        }
        while exponent > 0 {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            value = product
            exponent -= 1
        }
        guard value < 1 << 53 else { return nil }
        return isNegative ? -Int64(value) : Int64(value)
    }
}

extension Int64 {
    /// The number, if it is whole and at most 2^53 - 1 either side of zero. (Not `init(exactly:)`: it would need the C
    /// maths library, which the pure targets do not link.)
    init?(ifWhole number: Double) {
        guard number.magnitude < 9_007_199_254_740_992 else { return nil }
        self = Int64(number)
        guard Double(self) == number else { return nil }
    }
}

extension JSONReader {
    /// Checks a number and takes it apart.
    mutating func scanNumber() throws(JSONError) -> JSONNumber {
        var number = JSONNumber(start: position)
        var place = position
        if unsafe base[place] == UInt8(ascii: "-") {
            number.isNegative = true
            place &+= 1
        }
        guard let first = digit(at: place) else { throw numberError(at: place) }
        if first == 0 {
            place &+= 1
        } else {
            scanDigits(at: &place, into: &number, fraction: 0)
        }
        if place < end, unsafe base[place] == UInt8(ascii: ".") {
            place &+= 1
            guard digit(at: place) != nil else { throw numberError(at: place) }
            scanDigits(at: &place, into: &number, fraction: 1)
        }
        if place < end, unsafe base[place] | 0x20 == UInt8(ascii: "e") {
            place &+= 1
            try scanExponent(at: &place, into: &number)
        }
        position = place
        number.count = place &- number.start
        return number
    }

    /// The number as the nearest Double.
    ///
    /// Refuses what is beyond the largest one; what is below the smallest is zero.
    func double(_ number: JSONNumber) throws(JSONError) -> Double {
        if let value = finite(number) { return value }
        guard !refusesInfinity else { throw JSONError(.numberNotFinite, at: number.start) }
        return number.isNegative ? -.infinity : .infinity
    }

    /// The number as the nearest Double, or nil when it is beyond the largest one.
    func finite(_ number: JSONNumber) -> Double? {
        // Both factors are exact, so the one rounding of the operation is the right one.
        if !number.isCut, number.significand < 1 << 53, number.exponent >= -22, number.exponent <= 22 {
            let significand = Double(number.significand)
            let magnitude =
                number.exponent < 0
                ? significand / Self.powersOfTen[-number.exponent] : significand * Self.powersOfTen[number.exponent]
            return number.isNegative ? -magnitude : magnitude
        }
        let magnitude = roundedMagnitude(number)
        guard magnitude.isFinite else { return nil }
        return number.isNegative ? -magnitude : magnitude
    }

    @inline(__always)
    private func digit(at place: Int) -> UInt64? {
        guard place < end else { return nil }
        let value = unsafe base[place] &- UInt8(ascii: "0")
        return value < 10 ? UInt64(value) : nil
    }

    private func numberError(at place: Int) -> JSONError {
        place < end ? JSONError(.invalidNumber, at: place) : JSONError(.unexpectedEnd, at: end)
    }

    @inline(__always)
    private func scanDigits(at place: inout Int, into number: inout JSONNumber, fraction: Int) {
        while let value = digit(at: place) {
            if number.significand < 1_000_000_000_000_000_000 {
                number.significand = number.significand &* 10 &+ value
                number.exponent &-= fraction
            } else {
                number.exponent &+= 1 &- fraction
                if value != 0 { number.isCut = true }
            }
            place &+= 1
        }
    }

    private func scanExponent(at place: inout Int, into number: inout JSONNumber) throws(JSONError) {
        var isNegative = false
        if place < end, unsafe base[place] == UInt8(ascii: "-") || base[place] == UInt8(ascii: "+") {
            isNegative = unsafe base[place] == UInt8(ascii: "-")
            place += 1
        }
        guard digit(at: place) != nil else { throw numberError(at: place) }
        var exponent = 0
        while let value = digit(at: place) {
            // Inputs are shorter than the bound, so digits before the exponent cannot bring such a number back.
            exponent = min(exponent * 10 + Int(value), 1_000_000_000)
            place += 1
        }
        number.exponent += isNegative ? -exponent : exponent
    }

    /// The slow way for long or extreme numbers.
    ///
    /// At most 800 digits decide a rounding (768 can matter); of those behind them only matters whether one is not 0.
    private func roundedMagnitude(_ number: JSONNumber) -> Double {
        if number.significand == 0 { return 0 }
        var digits: [UInt8] = []
        var hasMore = false
        var place = number.start
        // Digits of the whole token in order, without sign, point, leading zeros and exponent.
        scan: while place < number.start + number.count {
            let byte = unsafe base[place]
            place += 1
            switch byte {
            case UInt8(ascii: "e"), UInt8(ascii: "E"): break scan
            case UInt8(ascii: "-"), UInt8(ascii: "."): continue
            case UInt8(ascii: "0") where digits.isEmpty: continue
            default:
                if digits.count < 800 {
                    digits.append(byte)
                } else if byte != UInt8(ascii: "0") {
                    hasMore = true
                }
            }
        }
        // The significand holds the first 19 digits, the exponent is of the last of them.
        var exponent = number.exponent + min(digits.count, 19) - digits.count
        if hasMore {
            digits.append(UInt8(ascii: "1"))
            exponent -= 1
        }
        let magnitude = digits.count + exponent
        if magnitude > 400 { return .infinity }
        if magnitude < -400 { return 0 }
        return Double(String(decoding: digits, as: UTF8.self) + "e\(exponent)") ?? .infinity
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
