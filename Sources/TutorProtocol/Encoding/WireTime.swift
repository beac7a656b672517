// WireTime: a moment as the wire tells it.
// Spec: RFC 3339 §5.6; docs/protocol.md §3 (`now`)

/// A moment as the wire tells it: `2026-01-31T08:05:09.120Z`, always UTC, always milliseconds.
public enum WireTime {
    /// Appends the moment that is so many milliseconds after 1970 began.
    ///
    /// Years outside 0...9999 are held at their ends.
    public static func append(milliseconds: Int64, to buffer: inout [UInt8]) {
        let milliseconds = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let (day, time) = floorDivide(milliseconds, 86_400_000)
        let date = civilDate(dayFrom1970: day)
        append(date.year, digits: 4, to: &buffer)
        append(date.month, digits: 2, after: "-", to: &buffer)
        append(date.day, digits: 2, after: "-", to: &buffer)
        append(time / 3_600_000, digits: 2, after: "T", to: &buffer)
        append(time / 60_000 % 60, digits: 2, after: ":", to: &buffer)
        append(time / 1_000 % 60, digits: 2, after: ":", to: &buffer)
        append(time % 1_000, digits: 3, after: ".", to: &buffer)
        buffer.append(UInt8(ascii: "Z"))
    }

    /// The proleptic Gregorian date of a day.
    ///
    /// Counted in years that begin in March, so that a leap day is the last.
    private static func civilDate(dayFrom1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // 719 468 days lie between 0000-03-01 and 1970-01-01; 400 years have 146 097 days.
        let (era, dayOfEra) = floorDivide(dayFrom1970 + 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func floorDivide(_ number: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func append(
        _ number: Int64, digits: Int, after separator: StaticString = "", to buffer: inout [UInt8]
    ) {
        JSONWriter.append(literal: separator, to: &buffer)
        var unit: Int64 = digits == 4 ? 1_000 : digits == 3 ? 100 : 10
        while unit > 0 {
            buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / unit % 10))
            unit /= 10
        }
    }
}
