// Setting, all: the one table of settings.
// Spec: docs/configuration.md is written from this table; a test compares the two.

internal import ModelIO
internal import NetIO
internal import Telemetry
internal import TutorCore
internal import TutorProtocol
internal import WireCore

extension Setting {
    /// Every setting, in the order in which the documentation shows them.
    public static let all: [Setting] =
        server + tokens + storage + compression + modelSettings + prompts + limits

    private static let server: [Setting] = [
        Setting(
            "listen",
            "Where to listen, as `host:port` with a numeric host. Port 0 takes any free one. Without "
                + "tokens loopback addresses only.",
            show: { $0.listen.description }
        ) { (text, configuration) throws(ConfigurationError) in
            do throws(NetError) {
                configuration.listen = try ListenAddress(text)
            } catch {
                throw .value(name: "listen", reason: "\(text) is not host:port with a numeric host")
            }
        },
        .list(
            "tls_cert",
            "PEM files of certificates, each with its chain behind it, separated by commas; one of each kind of key, such "
                + "as ECDSA and RSA. Set: the server speaks TLS only. Read at start and on SIGHUP.",
            \.tlsCertificates),
        .list(
            "tls_key", "PEM files of the certificates' private keys, in the same order, not encrypted.", \.tlsKeys),
        .number(
            "tls_hsts_days",
            "Days for which browsers are told to use TLS only with this host, on every port (`Strict-Transport-Security`). "
                + "0: not told, so that a trial on `localhost` does not lock out other servers there.",
            0...730, \.strictTransportDays),
        .text("public", "The folder with the pages that browsers get. Read once, at start.", \.publicFolder),
        Setting(
            "shards", "Event loops, 1 to 256. Empty: one a core.", show: { $0.shards.map { String($0) } ?? "" }
        ) { (text, configuration) throws(ConfigurationError) in
            guard !text.isEmpty else { return configuration.shards = nil }
            guard let count = Int(text), (1...256).contains(count) else {
                throw .value(name: "shards", reason: "\(text) is not a whole number from 1 to 256")
            }
            configuration.shards = count
        },
        Setting(
            "allowed_origins",
            "Origins that may open a WebSocket beside the server's own, such as `https://school.example`, "
                + "separated by commas. Compared exactly.",
            show: { $0.allowedOrigins.joined(separator: ",") }
        ) { (text, configuration) throws(ConfigurationError) in
            let origins = text.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
            if let wrong = origins.first(where: { !OriginPolicy.isOrigin($0) }) {
                throw .value(
                    name: "allowed_origins", reason: "\(wrong) is not an origin such as https://school.example")
            }
            configuration.allowedOrigins = origins
        },
        .choice(
            "log_level", "The least level of log lines: trace, debug, info, notice, warning, error, critical.",
            \.logLevel),
        .number("connections", "Most connections of the process.", 1...1_000_000, \.connections),
        .milliseconds(
            "head_ms", "How long the head of a request may take, in milliseconds.", 100...600_000,
            \.transport.headWait),
        .milliseconds(
            "keep_alive_ms", "How long a connection may wait for its next request, in milliseconds.", 100...600_000,
            \.transport.keepAliveWait),
        .milliseconds(
            "hello_ms", "How long a client may take to say `hello`, in milliseconds.", 100...600_000, \.helloWait),
        .milliseconds(
            "ping_after_ms",
            "How long a connection may be silent before it is pinged, in milliseconds. Below the 60 s of usual proxies.",
            100...600_000, \.transport.pingAfter),
        .milliseconds(
            "pong_ms", "How long a pinged client may stay silent before its connection is dropped, in milliseconds.",
            100...600_000, \.transport.pongWait),
    ]

    private static let storage: [Setting] = [
        .text(
            "data",
            "The folder with the file that sessions are kept in; made when there is none. Empty: sessions live in memory "
                + "only, and end with the process.",
            \.dataFolder),
        .number(
            "retention_days", "Days for which a session is kept on disk after it was used last; 0 for ever.", 0...3_650,
            \.retentionDays),
        .milliseconds(
            "store_wait_ms",
            "How long the disk may take with a group of writes before answers stop waiting for it, in milliseconds.",
            10...60_000, \.storeWait),
        .milliseconds(
            "session_memory_ms",
            "How long a session without a client stays in memory, in milliseconds; 0 for not at all.", 0...86_400_000,
            \.session.retention),
        .milliseconds(
            "drain_ms", "How long answers in flight may take when the server is told to stop, in milliseconds.",
            0...3_600_000, \.drainWait),
        .milliseconds(
            "drain_spread_ms",
            "The time over which clients are spread when they have to come back, in milliseconds.", 0...600_000,
            \.drainSpread),
    ]

    private static let compression: [Setting] = [
        .choice(
            "compression", "Whether messages are compressed for clients that offer permessage-deflate: `on`, `off`.",
            \.compression),
        .number(
            "compression_window_bits", "Window of a connection's encoder, as a power of two.", 9...15,
            \.deflate.serverWindowBits),
        .number(
            "compression_memory_level",
            "Memory of a connection's encoder, 1 to 9; docs/compression.md has a table.", 1...9,
            \.deflate.memoryLevel),
        .number("compression_level", "Effort, 1 for fast to 9 for small.", 1...9, \.deflate.level),
        .number(
            "compression_threshold", "Shortest message that is compressed, in bytes.", 0...1_048_576,
            \.deflate.threshold),
        .number(
            "compression_fresh_threshold",
            "Shortest message that is compressed when earlier ones are not remembered, in bytes.", 0...1_048_576,
            \.deflate.freshThreshold),
        .milliseconds(
            "compression_idle_ms", "How long an encoder may be unused before it is freed, in milliseconds.",
            10...3_600_000, \.deflate.idleTime),
        .number(
            "compression_bytes",
            "Most bytes that encoders hold, a shard; beyond it earlier messages are not remembered.",
            0...1_099_511_627_776, \.deflate.memoryBytes),
    ]

    private static let modelSettings: [Setting] = [
        .choice(
            "model",
            "Which model answers: `builtin` (no network, no key), `openai` (any endpoint that speaks chat completions), "
                + "`scripted` (plays recorded streams).",
            \.model.choice),
        .text("model_base_url", "The endpoint up to and without `/chat/completions`.", \.model.baseURL),
        .text("model_name", "The model's name at the endpoint.", \.model.name),
        Setting(
            "model_key", "The endpoint's key, sent as a bearer token to it and to nobody else.", isSecret: true,
            show: { $0.model.key == nil ? "" : "<redacted>" }
        ) { (text, configuration) throws(ConfigurationError) in
            configuration.model.key = text.isEmpty ? nil : Secret(text)
        },
        .list(
            "model_script", "Recorded streams (`.sse`, `.http`, `.jsonl`) that the scripted model plays in turn.",
            \.model.scriptFiles),
        .milliseconds(
            "builtin_pause_ms", "The pause between words of the built-in tutor, in milliseconds; 0 for none.",
            0...10_000,
            \.model.builtinPause),
        .milliseconds("model_connect_ms", "Time to connect to the endpoint.", 10...600_000, \.model.timeouts.connect),
        .milliseconds(
            "model_first_byte_ms", "Time from the request to the answer's first byte.", 10...3_600_000,
            \.model.timeouts.firstByte),
        .milliseconds(
            "model_first_delta_ms", "Time from the request to the first text or thought.", 10...3_600_000,
            \.model.timeouts.firstDelta),
        .milliseconds(
            "model_between_ms", "Time between two pieces of an answer.", 10...3_600_000, \.model.timeouts.betweenBytes),
        .milliseconds("model_total_ms", "Time for a whole answer.", 10...86_400_000, \.model.timeouts.total),
        .number(
            "model_calls", "Calls to the endpoint at once, a shard.", 1...100_000, \.model.limits.concurrentCalls),
    ]

    private static let prompts: [Setting] = [
        .number(
            "screen_budget", "Tokens of the prompt that the screen may take.", 20...100_000, \.session.screenBudget),
        .number(
            "max_output_tokens", "Most tokens of an answer.", 16...100_000, \.session.maximumOutputTokens),
        .milliseconds(
            "highlight_ms", "How long a ring lives, in milliseconds.", 500...600_000, \.session.highlightLifetime),
        .number("hint_max", "The highest hint level that is granted, 0 to 4.", 0...4, \.session.maximumHintLevel),
    ]

    private static let limits: [Setting] = [
        .milliseconds(
            "stuck_ms",
            "How long a reader may take nothing while something waits for it, in milliseconds; then it is closed (4409).",
            100...600_000, \.stuckWait),
        .number(
            "pause_bytes",
            "Bytes that may wait for a reader before its model is held back, until half of that is left.",
            1_024...16_777_216, \.pauseBytes),
        .number(
            "client_message_bytes", "Longest client message, in bytes.", 1_024...16_777_216,
            \.session.limits.clientMessageBytes),
        .number("elements", "Most elements on a screen.", 1...100_000, \.session.limits.elements),
        .number(
            "content_bytes", "Longest text of an element, in bytes.", 16...1_000_000, \.session.limits.contentBytes),
        .number("question_bytes", "Longest question, in bytes.", 16...1_000_000, \.session.limits.questionBytes),
        .number(
            "deltas_per_second", "Deltas a second, on average.", 1...10_000, \.session.limits.deltasPerSecond),
        .number("delta_burst", "Deltas in one burst.", 1...100_000, \.session.limits.deltaBurst),
        .number("asks_per_minute", "Questions a minute.", 1...100_000, \.session.limits.asksPerMinute),
        .number("log_events", "Most events of a session's log.", 16...1_000_000, \.session.limits.logEvents),
        .number(
            "log_bytes", "Most bytes of text of a session's log.", 4_096...1_073_741_824, \.session.limits.logBytes),
        .milliseconds(
            "grace_ms", "How long a running turn goes on after its connection dropped, in milliseconds.", 0...3_600_000,
            \.session.grace),
    ]
}
