// LoadFrames: what is sent and what must come back, prepared once.
// Spec: RFC 6455 §5.2

internal import WireCore

/// One segment of masked text frames, and the reply to it.
///
/// Masking is done here and not for each message: its cost is the client's, and the server is what is measured.
struct LoadFrames: Sendable {
    /// What is sent.
    let request: [UInt8]
    /// What a server sends back: the same messages without a mask.
    let reply: [UInt8]
    /// Messages in it.
    let count: Int

    /// Prepares `count` messages of `bytes` bytes of ASCII.
    init(count: Int, bytes: Int) {
        let payload = (0..<bytes).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        var request: [UInt8] = []
        var reply: [UInt8] = []
        for index in 0..<count {
            let key = 0x9E37_79B9 &* UInt32(index + 1)
            FrameWriter.append(.text, maskingKey: key, payload: payload, to: &request)
            FrameWriter.append(.text, payload: payload, to: &reply)
        }
        self.request = request
        self.reply = reply
        self.count = count
    }
}
