// Limits+Names: the names of the limits on the wire.
// Spec: docs/protocol.md §11 (`welcome.limits`)

extension Limits {
    /// Every limit with its name on the wire, in the order of the properties.
    public var named: [(name: String, value: Int)] {
        [
            ("client_message_bytes", clientMessageBytes),
            ("server_message_bytes", serverMessageBytes),
            ("elements", elements),
            ("content_bytes", contentBytes),
            ("url_bytes", urlBytes),
            ("json_depth", jsonDepth),
            ("object_keys", objectKeys),
            ("question_bytes", questionBytes),
            ("delta_operations", deltaOperations),
            ("deltas_per_second", deltasPerSecond),
            ("delta_burst", deltaBurst),
            ("asks_per_minute", asksPerMinute),
            ("log_events", logEvents),
            ("log_bytes", logBytes),
            ("highlights", highlights),
            ("message_id_bytes", messageIDBytes),
        ]
    }
}
