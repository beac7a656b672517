// TLSPipe: the memory that the TLS connections of one shard share.
// Source: BIO_meth_new(3), SSL_set_bio(3)

internal import COpenSSL
internal import Glibc

/// The memory that the TLS connections of one shard share: OpenSSL reads ciphertext from where `recv` put it, and
/// writes ciphertext where `send` takes it.
///
/// OpenSSL's own memory BIOs would be two buffers a connection that only ever grow. As a call into OpenSSL ends before
/// the next connection's begins, one pipe serves all, and nothing is copied on the way in. Confined to its shard.
package final class TLSPipe {
    /// Ciphertext that OpenSSL has not taken; set for the length of a call.
    var incoming = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Where plaintext goes: room for the most that one input can hold.
    let plaintext: UnsafeMutableRawBufferPointer
    /// The BIO; each session takes a hold of it.
    let bio: OpaquePointer
    private var outgoing: UnsafeMutableRawBufferPointer
    private var outgoingStart = 0
    private var outgoingEnd = 0

    /// Makes a pipe; nil when memory is out.
    package init?() {
        guard let method = Self.method, let bio = BIO_new(method) else { return nil }
        self.bio = bio
        plaintext = .allocate(byteCount: Self.inputLimit + Self.recordLimit, alignment: 64)
        outgoing = .allocate(byteCount: Self.outgoingBytes, alignment: 64)
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
    }

    deinit {
        BIO_free(bio)
        plaintext.deallocate()
        outgoing.deallocate()
    }

    /// Ciphertext that OpenSSL has written and nobody has taken.
    var ciphertext: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: outgoing[outgoingStart..<outgoingEnd]) }

    /// Forgets ciphertext from the front.
    func consume(_ count: Int) {
        outgoingStart += count
        if outgoingStart == outgoingEnd { (outgoingStart, outgoingEnd) = (0, 0) }
    }

    // MARK: OpenSSL's side

    private func take(_ target: UnsafeMutablePointer<CChar>, _ count: Int) -> Int {
        let taken = min(count, incoming.count)
        guard taken > 0, let source = incoming.baseAddress else { return 0 }
        memcpy(target, source, taken)
        incoming = UnsafeRawBufferPointer(rebasing: incoming[taken...])
        return taken
    }

    private func append(_ source: UnsafePointer<CChar>, _ count: Int) -> Bool {
        if outgoing.count - outgoingEnd < count {
            let needed = outgoingEnd + count
            guard needed <= Self.outgoingLimit else { return false }
            let larger = UnsafeMutableRawBufferPointer.allocate(
                byteCount: min(Self.outgoingLimit, max(needed, outgoing.count * 2)), alignment: 64)
            larger.copyMemory(from: UnsafeRawBufferPointer(outgoing))
            outgoing.deallocate()
            outgoing = larger
        }
        guard let base = outgoing.baseAddress else { return false }
        memcpy(base + outgoingEnd, source, count)
        outgoingEnd += count
        return true
    }

    private static func of(_ bio: OpaquePointer?) -> TLSPipe? {
        BIO_get_data(bio).map { Unmanaged<TLSPipe>.fromOpaque($0).takeUnretainedValue() }
    }

    // Made once and only read.
    private nonisolated(unsafe) static let method: OpaquePointer? = {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "chalkline pipe") else {
            return nil
        }
        BIO_meth_set_read(method) { bio, target, count in
            chalkline_bio_clear_retry(bio)
            guard let target, count > 0, let pipe = of(bio) else { return -1 }
            let taken = pipe.take(target, Int(count))
            if taken == 0 {
                chalkline_bio_set_retry_read(bio)
                return -1
            }
            return Int32(taken)
        }
        BIO_meth_set_write(method) { bio, source, count in
            // One BIO serves both ways: a refused write must not be taken for a read that wants more.
            chalkline_bio_clear_retry(bio)
            guard let source, count > 0, let pipe = of(bio) else { return -1 }
            return pipe.append(source, Int(count)) ? count : -1
        }
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return method
    }()

    // MARK: Limits

    /// Most ciphertext in one input: what one `recv` brings.
    package static let inputLimit = Shard.readBufferBytes
    /// Most plaintext of a record whose first part came with an input before.
    static let recordLimit = 16_384
    /// First size of the outgoing side: what is sealed at once, with the records' heads and tags.
    static let outgoingBytes = TLSSession.sealedAtOnce + 8_192
    /// Most ciphertext from one call, far more than any input of ``inputLimit`` calls for.
    static let outgoingLimit = 1_048_576
}
