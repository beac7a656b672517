// ResumeKeys, random: a secret for a process that keeps nothing.

extension ResumeKeys {
    /// 32 bytes that nobody can guess: keys that end with the process.
    static func randomSecret() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
}
