// LanguageChoice: which language an answer is written in.
// Spec: docs/protocol.md §5 rule 12

/// Which language an answer is written in.
public struct LanguageChoice: Sendable {
    /// The ask's language, else the question's by its script, else the client's, else English.
    ///
    /// The script names a language only as far as it can; where the client's locale is written in the same script, the
    /// locale decides, with its region (`zh-TW`).
    ///
    /// - Parameters:
    ///   - askLanguage: What the ask said, a BCP 47 tag.
    ///   - question: The student's words.
    ///   - locale: What `hello` said, a BCP 47 tag.
    /// - Returns: A BCP 47 tag.
    public static func choose(askLanguage: String?, question: String, locale: String?) -> String {
        if let asked = tag(askLanguage) { return asked }
        let home = tag(locale)
        guard let script = WritingScript.main(of: question) else { return home ?? fallback }
        if let home, script.languages.contains(primary(home)) { return home }
        if let home, script == .latin, WritingScript.usesLatin(primary(home)) { return home }
        return script.language(of: question)
    }

    /// The tag with its English name, such as `Chinese (zh-CN)`.
    ///
    /// A tag that is none is read as English.
    static func name(of language: String) -> String {
        let tag = tag(language) ?? fallback
        return names[primary(tag)].map { "\($0) (\(tag))" } ?? tag
    }

    /// The tag as it may stand in a prompt; nil for what is none.
    ///
    /// Underscores are read as hyphens.
    private static func tag(_ text: String?) -> String? {
        guard let text else { return nil }
        let tag = String(text.map { $0 == "_" ? "-" : $0 })
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = parts.first, (2...3).contains(first.utf8.count), parts.count <= 4,
            first.unicodeScalars.allSatisfy(\.isLetter),
            parts.allSatisfy({ (1...8).contains($0.utf8.count) && $0.unicodeScalars.allSatisfy(isTagScalar) })
        else { return nil }
        return primary(tag) == "und" ? nil : tag
    }

    private static func isTagScalar(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isLetter || ("0"..."9").contains(scalar)
    }

    private static func primary(_ tag: String) -> String {
        tag.prefix { $0 != "-" }.lowercased()
    }

    private static let fallback = "en"

    private static let names = [
        "ar": "Arabic", "bn": "Bengali", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English",
        "es": "Spanish", "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi",
        "hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch",
        "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sv": "Swedish",
        "ta": "Tamil", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese",
        "yue": "Cantonese", "zh": "Chinese",
    ]
}
