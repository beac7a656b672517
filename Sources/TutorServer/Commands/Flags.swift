// Flags: a command's arguments, by GNU conventions.

/// A command's arguments: `--name value`, `--name=value`, and words.
package struct Flags {
    /// Values by name, without the dashes.
    package private(set) var values: [String: String] = [:]
    /// Flags that take no value and were given.
    package private(set) var switches: Set<String> = []
    /// What is no flag, in order.
    package private(set) var words: [String] = []

    /// Reads arguments; `switches` names the flags that take no value.
    package init(_ arguments: [String], switches known: Set<String> = []) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--"), argument.count > 2 else {
                guard !argument.hasPrefix("-") || argument == "-" else { throw UsageError("no such flag: \(argument)") }
                words.append(argument)
                continue
            }
            var name = String(argument.dropFirst(2))
            if known.contains(name) {
                switches.insert(name)
                continue
            }
            let value: String
            if let equals = name.firstIndex(of: "=") {
                value = String(name[name.index(after: equals)...])
                name = String(name[..<equals])
            } else if let next = rest.popFirst() {
                value = next
            } else {
                throw UsageError("--\(name) needs a value")
            }
            guard values.updateValue(value, forKey: name) == nil else { throw UsageError("--\(name) is given twice") }
        }
    }

    /// Takes a flag's value out.
    package mutating func take(_ name: String) -> String? { values.removeValue(forKey: name) }

    /// Fails when a flag or a word is left that nobody took.
    package func requireEmpty() throws(UsageError) {
        if let name = values.keys.sorted().first { throw UsageError("no such flag: --\(name)") }
        if let word = words.first { throw UsageError("unexpected argument: \(word)") }
    }
}
