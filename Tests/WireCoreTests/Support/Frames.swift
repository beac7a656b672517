// Frames: builds frames byte by byte for tests, valid ones and broken ones, apart from the code under test.

/// The bytes of one frame.
///
/// The length form, mask and first byte can be chosen, also against the rules.
func frame(
    _ opcode: UInt8, _ payload: [UInt8] = [], fin: Bool = true, rsv: UInt8 = 0,
    mask: [UInt8]? = [0x37, 0xFA, 0x21, 0x3D],
    lengthBytes: Int? = nil
) -> [UInt8] {
    var bytes: [UInt8] = [(fin ? 0x80 : 0) | rsv << 4 | opcode]
    let maskBit: UInt8 = mask == nil ? 0 : 0x80
    let form = lengthBytes ?? (payload.count <= 125 ? 0 : (payload.count <= 65_535 ? 2 : 8))
    switch form {
    case 0: bytes.append(maskBit | UInt8(payload.count))
    case 2: bytes += [maskBit | 126] + bigEndian(payload.count, 2)
    default: bytes += [maskBit | 127] + bigEndian(payload.count, 8)
    }
    guard let mask else { return bytes + payload }
    return bytes + mask + payload.enumerated().map { $0.element ^ mask[$0.offset % 4] }
}

/// A text frame.
func text(_ string: String, fin: Bool = true, mask: [UInt8]? = [0x37, 0xFA, 0x21, 0x3D]) -> [UInt8] {
    frame(1, [UInt8](string.utf8), fin: fin, mask: mask)
}

/// A close frame.
func close(_ code: Int, _ reason: [UInt8] = [], mask: [UInt8]? = [1, 2, 3, 4]) -> [UInt8] {
    frame(8, bigEndian(code, 2) + reason, mask: mask)
}

private func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ((count - 1 - $0) * 8)) }
}
