// FuzzTarget: what can be fuzzed, and which of it this run is about.
// Source: the invariant of each stands at the top of its file in Targets

internal import Glibc

/// What can be fuzzed; the raw value is its name in `FUZZ_TARGET` and its folder in `Tests/fuzz/corpus`.
enum FuzzTarget: String, CaseIterable {
    case answer
    case delta
    case frames
    case http
    case inflate
    case json
    case sse

    /// The target of this run; without a known name the run ends at once and says which there are.
    static let chosen: FuzzTarget = {
        if let name = getenv("FUZZ_TARGET"), let target = FuzzTarget(rawValue: String(cString: name)) { return target }
        print("FUZZ_TARGET is one of: \(allCases.map(\.rawValue).joined(separator: " "))")
        exit(2)
    }()

    func run(_ bytes: [UInt8]) {
        switch self {
        case .answer: fuzzAnswer(bytes)
        case .delta: fuzzDelta(bytes)
        case .frames: fuzzFrames(bytes)
        case .http: fuzzHTTP(bytes)
        case .inflate: fuzzInflate(bytes)
        case .json: fuzzJSON(bytes)
        case .sse: fuzzEventStream(bytes)
        }
    }
}
