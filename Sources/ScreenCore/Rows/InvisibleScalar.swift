// InvisibleScalar: characters that show nothing or turn the order of others.
// Spec: docs/screen.md (rows)

extension Unicode.Scalar {
    /// Whether a model would read something here that a person does not see: control, zero-width, bidirectional and tag
    /// characters, and those that stand for nothing.
    ///
    /// One list for rows and prompts: what one of them let through could hide an order to the model.
    public var isInvisible: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0: true
        case 0x180B...0x180F, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F: true
        case 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF: true
        default: false
        }
    }
}
