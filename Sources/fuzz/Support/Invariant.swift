// Invariant: how a target says that what it stands for does not hold.
// Source: LLVM, "libFuzzer" (a target reports a finding by ending the process)

internal import Glibc

/// Ends the run with a finding when `condition` does not hold.
///
/// libFuzzer then writes the input to a file; `text` says which promise was broken, and with which values.
func invariant(_ condition: Bool, _ text: @autoclosure () -> String) {
    guard !condition else { return }
    print("broken invariant: \(text())")
    fflush(nil)
    abort()
}

/// The value, where the caller's numbers allow no other outcome.
func required<Value>(_ value: Value?, _ text: @autoclosure () -> String) -> Value {
    guard let value else {
        invariant(false, text())
        abort()
    }
    return value
}
