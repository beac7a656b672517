// Configuration: every setting of the server, with its default.
// Spec: docs/configuration.md (generated from ``Setting/all``)

public import ModelIO
public import NetIO
public import Telemetry
public import TutorCore
internal import TutorProtocol
public import WireCore

/// Every setting of the server.
///
/// What a setting means, its unit and its names stand in ``Setting/all``.
public struct Configuration: Sendable {
    /// Where to listen.
    ///
    /// Default `127.0.0.1:8080`.
    public var listen: ListenAddress
    /// PEM files of certificates, each with its chain.
    ///
    /// Default none: plain HTTP.
    public var tlsCertificates: [String] = []
    /// PEM files of the certificates' private keys, in the same order.
    public var tlsKeys: [String] = []
    /// Days for which browsers are told to use TLS only.
    ///
    /// Default 0: they are not told.
    public var strictTransportDays = 0
    /// The value of `Strict-Transport-Security`, which means something over TLS only.
    var strictTransport: String? {
        tlsCertificates.isEmpty || strictTransportDays == 0 ? nil : "max-age=\(strictTransportDays * 86_400)"
    }
    /// The folder with the pages.
    ///
    /// Default `public`.
    public var publicFolder = "public"
    /// Event loops.
    ///
    /// Default nil: one a core.
    public var shards: Int?
    /// Origins beside the server's own that may open a WebSocket.
    ///
    /// Default none.
    public var allowedOrigins: [String] = []
    /// The settings of tokens and proxies.
    var tokens = TokenSettings()
    /// The least level of log lines.
    ///
    /// Default `info`.
    public var logLevel = LogLevel.info
    /// How long a client may take from the WebSocket's opening to `hello`.
    ///
    /// Default 10 s.
    public var helloWait: Duration = .seconds(10)
    /// Most connections of the process.
    ///
    /// Default 10 000.
    public var connections = 10_000
    /// The waits and bounds of the transport.
    public var transport = TransportLimits()
    /// Whether WebSocket messages are compressed when a client offers it.
    ///
    /// Default on: browsers offer it, and token events shrink nine times.
    public var compression = CompressionChoice.on
    /// How they are compressed.
    public var deflate = DeflatePolicy()
    /// The folder with the file that sessions are kept in.
    ///
    /// Default empty: sessions live in memory only.
    public var dataFolder = ""
    /// Days for which a session is kept on disk after it was used last.
    ///
    /// Default 30.
    public var retentionDays = 30
    /// How long the disk may take with a group of writes before answers stop waiting for it.
    ///
    /// Default 2.5 s: a little over the store's own wait for a locked file.
    public var storeWait: Duration = .milliseconds(2_500)
    /// How long answers in flight may take when the server is told to stop.
    ///
    /// Default 25 s: supervisors commonly kill after 30.
    public var drainWait: Duration = .seconds(25)
    /// The time over which clients are spread when they have to come back.
    ///
    /// Default 3 s.
    public var drainSpread: Duration = .seconds(3)
    /// How long a reader may take nothing while something waits for it.
    ///
    /// Default 10 s.
    public var stuckWait: Duration = .seconds(10)
    /// Bytes that may wait for a reader before its model is held back, until half of that is left.
    ///
    /// Default 256 KiB.
    public var pauseBytes = 262_144
    /// The settings of sessions.
    public var session = SessionConfiguration()
    /// The model.
    public var model = ModelSettings()
    /// The server's version, as `welcome` says it.
    public let version = "0.1.0"

    /// The defaults.
    public init() {
        // The text is a constant and reads as an address.
        listen = Self.defaultListen
    }

    /// Brings settings that depend on each other into line; call it after the last change.
    ///
    /// - Throws: ``ConfigurationError/conflict(_:)``.
    mutating func settle() throws(ConfigurationError) {
        guard listen.isLoopback || tokens.areOn else {
            throw .conflict(
                "listen \(listen): without tokens the server listens on a loopback address only; "
                    + "set token_secret (CHALKLINE_TOKEN_SECRET_FILE) or token_public_keys")
        }
        guard tokens.trustedProxies.isEmpty || tokens.areOn else {
            throw .conflict(
                "trusted_proxies: without tokens only this machine is served; set token_secret or token_public_keys")
        }
        try tokens.requireDistinctNames()
        guard tlsCertificates.count == tlsKeys.count else {
            throw .conflict(
                "tls_cert names \(tlsCertificates.count) files and tls_key \(tlsKeys.count): "
                    + "each certificate needs its key, in the same order")
        }
        let limits = session.limits
        transport.webSocket.messageBytes = limits.clientMessageBytes
        transport.webSocket.skippedBytes = max(Self.skippedBytes, limits.clientMessageBytes)
        transport.compression = compression == .on ? deflate : nil
        session.pointsAnywhere = model.choice == .builtin
        switch model.choice {
        case .builtin:
            session.modelName = "builtin"
        case .openai:
            guard !model.baseURL.isEmpty else {
                throw .conflict("model openai needs model_base_url, such as https://models.example/v1")
            }
            do throws(ModelSettingsError) {
                _ = try ChatAddress(base: model.baseURL)
            } catch {
                throw .conflict("model_base_url: \(error)")
            }
            session.modelName = model.name.isEmpty ? "openai" : model.name
        case .scripted:
            guard !model.scriptFiles.isEmpty else { throw .conflict("model scripted needs model_script") }
            session.modelName = "scripted"
        }
    }

    /// Longest message that is refused without closing, in bytes.
    ///
    /// 4 MiB; docs/decisions/0002 says why.
    static let skippedBytes = 4_194_304

    private static let defaultListen: ListenAddress = {
        do {
            return try ListenAddress("127.0.0.1:8080")
        } catch {
            preconditionFailure("a constant loopback address is an address")
        }
    }()
}

/// Whether messages are compressed.
public enum CompressionChoice: String, Sendable, CaseIterable {
    case off
    case on
}
