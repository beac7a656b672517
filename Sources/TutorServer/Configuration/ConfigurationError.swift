// ConfigurationError: what is wrong with the settings, for the operator.

/// What is wrong with the settings.
///
/// The operator's to mend; no message holds a secret.
public enum ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Two settings do not go together.
    case conflict(String)
    /// A file cannot be read.
    case file(path: String, reason: String)
    /// A line of the configuration file is not `name = value`.
    case line(number: Int)
    /// A setting is given twice in one place.
    case repeated(String)
    /// No such setting; `nearest` is the most similar name.
    case unknown(name: String, source: String, nearest: String)
    /// A value cannot be used.
    case value(name: String, reason: String)

    /// One plain sentence.
    public var description: String {
        switch self {
        case .conflict(let text): text
        case .file(let path, let reason): "cannot read \(path): \(reason)"
        case .line(let number): "line \(number) of the configuration file is not `name = value`"
        case .repeated(let name): "\(name) is given twice"
        case .unknown(let name, let source, let nearest):
            "unknown setting \(name) in the \(source); did you mean \(nearest)?"
        case .value(let name, let reason): "\(name): \(reason)"
        }
    }
}
