// The fuzzing program: libFuzzer around the target that FUZZ_TARGET names. See docs/fuzzing.md.
// Source: LLVM, "libFuzzer" (using libFuzzer as a library)

/// libFuzzer's own `main` cannot be used: the package manager gives every program one of its own.
@_extern(c, "LLVMFuzzerRunDriver")
func runFuzzer(
    _ argumentCount: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Runs the chosen target on one input, on the one thread that libFuzzer has.
///
/// The name is libFuzzer's. The result 0 lets the input into the corpus when it reached something new.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.chosen.run([UInt8](UnsafeBufferPointer(start: start, count: count)))
    return 0
}

_ = FuzzTarget.chosen
var argumentCount = CommandLine.argc
var arguments = CommandLine.unsafeArgv
_ = runFuzzer(&argumentCount, &arguments) { fuzzOneInput($0, $1) }
