// NetError: what can go wrong with sockets at start-up.

/// A fault of the network layer that its caller must know about.
///
/// Faults of single connections end that connection and are told to its handler instead.
public enum NetError: Error, Sendable, Hashable {
    /// A listen address is not `host:port` with a numeric host and a port of 0 to 65535.
    case invalidAddress(String)
    /// A system call failed; the code is `errno`.
    case systemCall(String, code: Int32)
}
