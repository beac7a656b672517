// WebSocketMessage: one complete message that lies in the read buffer.
// Spec: RFC 6455 §5.6

/// One complete message, as a view into the read buffer.
///
/// Valid until the memory under the `WebSocketInput` that it came from is used again; copy what is kept. It holds no
/// reference, so that handing it out costs nothing.
@unsafe
public struct WebSocketMessage {
    /// Whether it is text.
    ///
    /// Text has been checked to be UTF-8, unless it is compressed.
    public let isText: Bool

    /// Whether RSV1 was set: the bytes are compressed, and text is not checked yet (RFC 7692 §6).
    ///
    /// Never true unless compression was allowed.
    public let isCompressed: Bool

    /// The bytes, unmasked.
    public let bytes: UnsafeRawBufferPointer

    /// Calls `body` with the bytes as a span, for code that takes no pointers.
    @inlinable
    public func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(Span(_unsafeBytes: bytes))
    }
}
