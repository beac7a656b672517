// ModelSettings: which model, and how to reach it.
// Spec: docs/models.md

public import TutorCore

/// Which kind of model answers.
public enum ModelChoice: String, Sendable, Hashable, CaseIterable {
    /// The tutor inside this program; no network.
    case builtin
    /// An endpoint that speaks OpenAI's chat completions.
    case openai
    /// Recorded streams, played in turn.
    case scripted
}

/// One header that goes with every request to an endpoint.
///
/// Its value may be a credential.
public struct ModelHeader: Sendable, Hashable {
    /// The header's name.
    public var name: String
    /// The header's value.
    public var value: Secret

    /// Makes a header.
    public init(name: String, value: Secret) {
        self.name = name
        self.value = value
    }
}

/// Which model answers, and how to reach it.
///
/// Safe to print: credentials are ``Secret``.
public struct ModelSettings: Sendable, Hashable {
    /// The kind of model.
    ///
    /// Default: built in.
    public var choice: ModelChoice = .builtin
    /// The endpoint's address up to and without `/chat/completions`, such as `https://models.example/v1`.
    ///
    /// A query stays at its end. http and https only.
    public var baseURL = ""
    /// The model's name at the endpoint.
    public var name = ""
    /// The endpoint's key, sent as `Authorization: Bearer`.
    ///
    /// nil: none is sent.
    public var key: Secret?
    /// Further headers for the endpoint.
    public var headers: [ModelHeader] = []
    /// A proxy's address.
    ///
    /// nil: none, whatever the environment says, so that no variable redirects prompts.
    public var proxy: String?
    /// A PEM file of certificate authorities in place of the system's.
    ///
    /// Verification itself cannot be switched off.
    public var authoritiesFile: String?
    /// How long each stage may take.
    public var timeouts = ModelTimeouts()
    /// How much is taken on.
    public var limits = ModelLimits()
    /// The pause before each piece of the built-in tutor's answers.
    ///
    /// Default 12 ms; zero: all at once.
    public var builtinPause: Duration = .milliseconds(12)
    /// The files that the scripted model plays, in turn: `.sse`, `.http` or `.jsonl`.
    public var scriptFiles: [String] = []
    /// The pause before each piece of a script that has no pauses of its own.
    ///
    /// Default 12 ms.
    public var scriptPause: Duration = .milliseconds(12)

    /// The built-in tutor.
    public init() {}

    /// Makes the client.
    ///
    /// - Parameters:
    ///   - host: takes the client's requests; see ``HostRequest``.
    ///   - handler: takes the events of every call, with the call's token; see ``ModelClient``.
    /// - Returns: a client without calls.
    /// - Throws: ``ModelSettingsError`` when the settings cannot be used.
    public func makeClient(
        host: @escaping (HostRequest) -> Void, handler: @escaping (UInt64, ModelEvent) -> Void
    ) throws(ModelSettingsError) -> any ModelClient {
        switch choice {
        case .builtin:
            return BuiltinModel(pause: builtinPause, limits: limits, host: host, handler: handler)
        case .openai:
            return try CurlChatClient(settings: self, host: host, handler: handler)
        case .scripted:
            var scripts: [ModelScript] = []
            for path in scriptFiles { scripts.append(try ModelScript.read(path, pause: scriptPause)) }
            return try ScriptedModel(scripts: scripts, limits: limits, host: host, handler: handler)
        }
    }
}

/// What is wrong with model settings.
///
/// The operator's to mend.
public enum ModelSettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The base address or the proxy's cannot be used.
    case address(setting: String, reason: String)
    /// A header's name or value, or the key, holds a character that a header cannot carry.
    case header(name: String)
    /// The network library could not be set up.
    case library(detail: String)
    /// A script cannot be read.
    case script(path: String, reason: String)

    /// One plain sentence; holds no credential.
    public var description: String {
        switch self {
        case .address(let setting, let reason): "the model's \(setting) \(reason)"
        case .header(let name): "the header \(name) for the model is empty or holds a character that no header may hold"
        case .library(let detail): detail
        case .script(let path, let reason): path.isEmpty ? reason : "the script \(path) \(reason)"
        }
    }
}
