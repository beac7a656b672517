// LoadError: why a run of the load generator failed.

/// Why a run of the load generator failed.
enum LoadError: Error, CustomStringConvertible {
    case systemCall(String, code: Int32)
    case handshake(String)
    case closed
    case stalled
    case wrongReply
    case noProcess(Int32)

    var description: String {
        switch self {
        case .systemCall(let call, let code): "\(call) failed with errno \(code)"
        case .handshake(let answer): "no WebSocket: \(answer)"
        case .closed: "the server closed a connection"
        case .stalled: "no reply for \(LoadClient.stallSeconds) s"
        case .wrongReply: "a reply is not what was sent"
        case .noProcess(let pid): "cannot read the figures of process \(pid)"
        }
    }
}
