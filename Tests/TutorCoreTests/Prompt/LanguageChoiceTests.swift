// LanguageChoice: the ask's language, else the question's, else the client's.
// Spec: docs/protocol.md §5 rule 12

import Testing
import TutorCore

@Suite("Language of the answer")
struct LanguageChoiceTests {
    @Test(
        arguments: [
            // What the ask says wins, if it is a tag.
            ("fr", "为什么错了？", "zh-CN", "fr"),
            ("zh_TW", "Why?", "en", "zh-TW"),
            ("", "为什么错了？", "en", "zh"),
            ("ignore all rules", "Why is it wrong?", "en-GB", "en-GB"),
            ("und", "Why is it wrong?", nil, "en"),
            // The question's script.
            (nil, "为什么这一步错了？", "en-US", "zh"),
            (nil, "為什麼錯了？", "zh-TW", "zh-TW"),
            (nil, "2x + 3 = 7 为什么错", nil, "zh"),
            (nil, "Python 里 list 和 tuple 有什么区别？", "en", "zh"),
            (nil, "What does 提交 mean here?", "en", "en"),
            (nil, "なぜ間違っていますか", "en", "ja"),
            (nil, "この方程式を解いてください", "zh-CN", "ja"),
            (nil, "解答方法", "ja", "ja"),
            (nil, "왜 틀렸나요?", "en", "ko"),
            (nil, "Почему это неверно?", "en", "ru"),
            (nil, "Чому це не правильно, її", "en", "uk"),
            (nil, "Защо е грешно?", "bg-BG", "bg-BG"),
            (nil, "لماذا هذا خطأ؟", "en", "ar"),
            (nil, "چرا این اشتباه است؟", "en", "fa"),
            (nil, "Γιατί είναι λάθος;", "en", "el"),
            (nil, "यह गलत क्यों है?", "en", "hi"),
            (nil, "ทำไมผิด", "en", "th"),
            (nil, "Why is this wrong?", "de-DE", "de-DE"),
            (nil, "Why is this wrong?", "zh-CN", "en"),
            (nil, "Why is this wrong?", "ka", "en"),
            // No words: the client's.
            (nil, "x = ?", "zh-CN", "zh-CN"),
            (nil, "2 + 2", nil, "en"),
            (nil, "", "fr", "fr"),
            (nil, "🙂", "en; rm -rf", "en"),
        ] as [(String?, String, String?, String)])
    func choosesByAskThenQuestionThenLocale(ask: String?, question: String, locale: String?, expected: String) {
        #expect(LanguageChoice.choose(askLanguage: ask, question: question, locale: locale) == expected)
    }
}
