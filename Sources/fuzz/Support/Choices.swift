// Choices: turns an input's bytes into decisions.
// Source: LLVM, "FuzzedDataProvider" (the same idea)

/// Turns an input's bytes into decisions, so that a small change of the input is a small change of what is built.
///
/// An input that is used up answers 0 to everything: makers of values let 0 mean "nothing more".
struct Choices {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// A number from 0 to `count` - 1, at most 256 of them.
    mutating func below(_ count: Int) -> Int { Int(byte()) % max(1, count) }

    /// One of the values; nil of none.
    mutating func one<Value>(of values: [Value]) -> Value? {
        values.isEmpty ? nil : values[below(values.count)]
    }
}
