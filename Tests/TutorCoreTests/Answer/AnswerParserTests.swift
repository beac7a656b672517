// AnswerParser: tags become references, and the student's text keeps none of them.
// Spec: docs/architecture.md (what the model says)

import Testing
import TutorCore
import TutorProtocol

@Suite("Inline tags")
struct AnswerParserTests {
    @Test(arguments: [
        // Plain text stays as it is.
        ("", ""),
        ("Look at the sign.", "Look at the sign."),
        ("  two  spaces \n\n and a line end\n", "  two  spaces \n\n and a line end\n"),
        ("a\r\nb\r\n", "a\r\nb\r\n"),
        ("a list [1] and [x](y) and a[0][1]", "a list [1] and [x](y) and a[0][1]"),
        ("\u{4F60}\u{597D}, 👩‍👩‍👧 e\u{301}", "\u{4F60}\u{597D}, 👩‍👩‍👧 e\u{301}"),
        // References.
        ("Look here [[12]].", "Look here‹12›."),
        ("Look [[12]] here", "Look‹12› here"),
        ("Look[[12]]here", "Look‹12›here"),
        ("[[12]] is wrong", "‹12›is wrong"),
        ("看这里[[12]]，再算一次", "看这里‹12›，再算一次"),
        ("see [[1]][[2]] and", "see‹1›‹2› and"),
        ("see [[1]] [[2]] and", "see‹1›‹2› and"),
        ("see [[1]] , [[2]].", "see‹1› ,‹2›."),
        ("a\n[[3]]\nb", "a‹3›\nb"),
        ("a\n\n[[3]]\n\nb", "a‹3›\n\nb"),
        ("a\n\n[[3]]\n  b", "a‹3›\n\n  b"),
        ("a\r\n[[3]] b\r\n", "a‹3›\r\nb\r\n"),
        ("- [[3]] first\n- second [[4]]\n", "-‹3› first\n- second‹4›"),
        ("**the sign [[3]]** here", "**the sign‹3›** here"),
        ("**the sign** [[3]] *here*", "**the sign**‹3› *here*"),
        ("end [[3]]", "end‹3›"),
        ("end [[3]] \n", "end‹3›"),
        // Actions.
        ("Now [[14 tap]] it", "Now‹14 tap› it"),
        ("[[14 read]][[14 wait]][[14 scroll]]", "‹14 read›‹14 wait›‹14 scroll›"),
        ("Type [[13 type:2]].", "Type‹13 type=2›."),
        ("[[13 type: x = 2 ]]", "‹13 type=x = 2›"),
        ("[[13 select:Option B]]", "‹13 select=Option B›"),
        ("[[13 type]] [[13 type:]]", "‹13 type›‹13 type›"),
        ("[[13 type 2]]", "‹13 type=2›"),
        ("[[13 TYPE:A]] [[14: tap]] [[14 tap: now]]", "‹13 type=A›‹14 tap›‹14 tap›"),
        ("[[13 type:a[1]]]!", "‹13 type=a[1]›!"),
        ("[[13 type:(0,1]]]!", "‹13 type=(0,1]›!"),
        ("[[13 type:[0,1)]]!", "‹13 type=[0,1)›!"),
        ("[[13 type:[[1,2],[3,4]]]]!", "‹13 type=[[1,2],[3,4]]›!"),
        ("[[13 type::(]]!", "‹13 type=:(›!"),
        ("[[13 type::(]]", "‹13 type=:(›"),
        // Forms that a model may slip into.
        ("[[ 12 ]] [[#12]] [[12|the sign]] x", "‹12›‹12›‹12›x"),
        ("a［［12］］b［［１２　tap］］c", "a‹12›b‹12 tap›c"),
        ("both [[12,13]] and [[14、15]]", "both‹12›‹13› and‹14›‹15›"),
        ("both [[12], [[13]]", "both‹12›,‹13›"),
        ("one [[12] only", "one‹12› only"),
        ("one [[12]\nonly", "one‹12›\nonly"),
        ("one [[14 tap] only", "one‹14 tap› only"),
        ("[[13i]] [[14b-]] [[15!*]] [[14b tap]]", "‹13›‹14›‹15›‹14 tap›"),
        ("[[[12]]]", "[‹12›]"),
        ("[[0]] [[007]]", "‹0›‹7›"),
        ("[[9223372036854775807]]", "‹9223372036854775807›"),
        ("[[99999999999999999999999]]", "‹9223372036854775807›"),
        // Forms that are something else.
        ("[[]] [[x]] [[12 dance]] [[-3]] [[1.5]] [[12-14]]", "[[]] [[x]] [[12 dance]] [[-3]] [[1.5]] [[12-14]]"),
        ("[[1, 2], [3, 4]] and [[1], [2]]", "[[1, 2], [3, 4]] and [[1], [2]]"),
        ("[[1](https://x.test)", "[[1](https://x.test)"),
        ("[[12,13 tap]] [[wiki link]]", "[[12,13 tap]] [[wiki link]]"),
        ("[[12\n]]", "[[12\n]]"),
        ("[[13 type:a\nb]]", "[[13 type:a\nb]]"),
        ("[[13 type:a [[14]] b\nc", "[[13 type:a‹14› b\nc"),
        ("[[12 [[13]] x", "[[12‹13› x"),
    ])
    func readsTagsAlikeHoweverTheAnswerIsCut(answer: String, expected: String) {
        #expect(Reading.all(of: answer, seed: 1) == [expected])
    }

    @Test(arguments: [
        ("Check it.\n[[sum: asked why; sign]]", "Check it.‹sum=asked why; sign›"),
        ("Check it.\r\n\r\n[[sum: a]]\r\n", "Check it.‹sum=a›"),
        ("Check it. [[sum:a]] ", "Check it.‹sum=a›"),
        ("Check it [[3]].\n[[ SUM : a ]]", "Check it‹3›.‹sum=a›"),
        ("看看。\n［［sum：问了符号］］", "看看。‹sum=问了符号›"),
        ("a\n[[summary: b]]", "a‹sum=b›"),
        ("a\n[[sum b]]", "a‹sum=b›"),
        ("a\n[[sum]] [[sum:]]", "a"),
        ("a\n[[sum: b]]\nc", "a‹sum=b›\nc"),
        ("a\n[[sum: b\nc", "a‹sum=b›\nc"),
        ("a\n[[sum: the sign [[12]] and [[14 tap]] x]]", "a‹sum=the sign and x›"),
        ("a\n[[sum: x in [0,1) and (a]]]", "a‹sum=x in [0,1) and (a]›"),
        ("a\n[[sum: b]]\n[[sum: c]]", "a‹sum=b›‹sum=c›"),
        // Cut streams.
        ("a\n[[sum: half of it", "a‹sum=half of it›"),
        ("a\n[[sum: half]", "a‹sum=half›"),
        ("a\n[[sum:", "a"),
        ("a\n[[su", "a"),
        ("a\n[[", "a"),
        ("a\n[", "a"),
        ("see [[12", "see"),
        ("see [[12 ta", "see"),
        ("see [[13 type:x =", "see"),
        ("see [[12]", "see‹12›"),
        ("see [[12|lab", "see"),
        // A fence that the model forgot to close does not show the line for the memory.
        ("```\nx = 1\n[[sum: b]]", "```\nx = 1‹sum=b›"),
        ("```\nx = 1\n[[sum: b", "```\nx = 1‹sum=b›"),
        ("```\n[[sum: b]]\n```\n", "```\n[[sum: b]]\n```\n"),
        ("```\n[[1", "```\n[[1"),
        ("`[[sum: x]]` is how", "`[[sum: x]]` is how"),
    ])
    func keepsTheSummaryOutOfTheText(answer: String, expected: String) {
        #expect(Reading.all(of: answer, seed: 2) == [expected])
    }

    @Test(arguments: [
        // Code.
        ("use `a[[1]]` [[2]]", "use `a[[1]]`‹2›"),
        ("use ``a ` [[1]]`` [[2]]", "use ``a ` [[1]]``‹2›"),
        ("```swift\na[[1]]\n```\n[[2]]", "```swift\na[[1]]\n```‹2›"),
        ("- one\n  ```\n  [[1]]\n  ```\n  [[2]]", "- one\n  ```\n  [[1]]\n  ```‹2›"),
        ("1. ```\n   [[1]]\n   ```\n[[2]]", "1. ```\n   [[1]]\n   ```‹2›"),
        ("~~~\n```\n[[1]]\n~~~\n[[2]]", "~~~\n```\n[[1]]\n~~~‹2›"),
        ("````\n```\n[[1]]\n````\n[[2]]", "````\n```\n[[1]]\n````‹2›"),
        ("```one line``` [[2]]", "```one line```‹2›"),
        ("```\r\n[[1]]\r\n```\r\n[[2]]", "```\r\n[[1]]\r\n```‹2›"),
        ("a lone ` mark\n[[2]]", "a lone ` mark‹2›"),
        ("\\`not code [[2]]", "\\`not code‹2›"),
        ("`a\\` [[2]]", "`a\\`‹2›"),
        // Maths.
        ("$[[1,2],[3,4]]$ and [[2]]", "$[[1,2],[3,4]]$ and‹2›"),
        ("$A = [[1]]$ [[2]]", "$A = [[1]]$‹2›"),
        ("$2x + [[1]]$ [[2]]", "$2x + [[1]]$‹2›"),
        ("因为$x=[[1]]$，[[2]]", "因为$x=[[1]]$，‹2›"),
        ("$$\nM = [[1]]\n$$\n[[2]]", "$$\nM = [[1]]\n$$‹2›"),
        ("$$[[1]]$$[[2]]", "$$[[1]]$$‹2›"),
        ("$\\text{see the}[[1]]$ [[2]]", "$\\text{see the}[[1]]$‹2›"),
        ("$x = 2$[[2]]", "$x = 2$‹2›"),
        ("$a$$b$ [[2]]", "$a$$b$‹2›"),
        // Prices and other lone dollars.
        ("It costs $5 [[2]]", "It costs $5‹2›"),
        ("It costs $5.50, see [[2]]", "It costs $5.50, see‹2›"),
        ("from $5 to $10 [[2]]", "from $5 to $10‹2›"),
        ("$5-$10 [[2]] or $6", "$5-$10‹2› or $6"),
        ("pay 5$ [[2]] or US$6 [[3]]", "pay 5$‹2› or US$6‹3›"),
        ("($5) [[2]]", "($5)‹2›"),
        ("$x the rest is prose [[2]]", "$x the rest is prose‹2›"),
        ("$5的苹果 [[2]]", "$5的苹果‹2›"),
        ("a $ b [[2]] $ c", "a $ b‹2› $ c"),
        ("\\$x [[2]]", "\\$x‹2›"),
        ("$x = [[1]]\n[[2]]", "$x = [[1]]‹2›"),
        ("$5 for `x` [[2]]", "$5 for `x`‹2›"),
        ("$$ never closed\n\n[[2]]", "$$ never closed‹2›"),
    ])
    func leavesCodeAndMathsAlone(answer: String, expected: String) {
        #expect(Reading.all(of: answer, seed: 3) == [expected])
    }

    @Test(arguments: [
        ("<think>\nLet me see [[3]]\n</think>\n\nLook [[4]].", "Look‹4›."),
        ("<THINKING>a</THINKING>b", "b"),
        ("a <think>b</think> c", "a c"),
        ("a<think>b < c </thin </think>d", "ad"),
        ("a<think>never ends [[3]]", "a"),
        ("thoughts</think>answer", "thoughtsanswer"),
        ("[<think>x</think>[12]]", "[‹12›"),
        ("`<think>` is a mark", "`<think>` is a mark"),
        ("x < y <thin air", "x < y <thin air"),
        ("x <", "x <"),
        ("x <think", "x"),
    ])
    func neverShowsThoughts(answer: String, expected: String) {
        #expect(Reading.all(of: answer, seed: 4) == [expected])
    }

    @Test func sendsAReferenceWithTheChunkThatCompletesIt() {
        var parser = AnswerParser()
        #expect(parser.receive("Look at the sign [[1") == [.text("Look at the sign")])
        #expect(parser.receive("2]") == [])
        #expect(parser.receive("]") == [.point(alias: 12)])
        #expect(
            parser.receive(" and it costs $5 [[13 type:4]]") == [
                .text(" and it costs $5"), .action(alias: 13, verb: .type, argument: "4"),
            ])
    }

    @Test func holdsNoMoreThanAnOpenTag() {
        var parser = AnswerParser()
        let label = String(repeating: "x", count: 59)
        #expect(parser.receive("[[1|" + label) == [])
        #expect(parser.receive("yy") == [.text("[[1|" + label + "yy")])

        parser = AnswerParser()
        let argument = String(repeating: "é", count: 250)
        #expect(parser.receive("[[1 type:" + argument) == [])
        #expect(parser.receive("éé") == [.text("[[1 type:" + argument + "éé")])

        parser = AnswerParser()
        #expect(parser.receive("a" + String(repeating: " ", count: 63)) == [.text("a")])
        #expect(parser.receive("  b") == [.text(String(repeating: " ", count: 65) + "b")])
    }

    @Test func cutsALongSummaryAndGoesOnAfterItsLine() {
        let long = String(repeating: "长", count: 300)
        let reading = Reading(["a\n[[sum: " + long + "]]\nb"])
        #expect(reading.text == "a\nb")
        #expect(reading.summaries.first?.utf8.count ?? 0 > 450)
        #expect(reading.summaries.first?.utf8.count ?? 0 <= 512)
        // Whoever puts the whole answer into it is read on after a while.
        let endless = Reading(["[[sum: " + String(repeating: "word ", count: 1_000)])
        #expect(endless.text.utf8.count > 2_900)
    }

    @Test(arguments: [
        "[[[[1]]2]]", "[[[1]][12]]", "[[1[[2]]]]", "[[1[[2[[3]]4]]5]]", "[[[[1]]sum: x]]", "[[12 [[3]] tap]]",
        "[[13 type:[[13 type:[[1]]2]]\n]]", "[[[[[[[[1]]2]]3]]4]]",
        "[[[[1]][2]]", "[[[[2 tap]][[4]]", "[[[[1]][[[2]]]]",
    ])
    func leavesNoTagWhereOneWasTakenFromInsideAnother(answer: String) {
        for cut in Reading.cuts(of: answer, seed: 5) {
            let text = Reading(cut).text
            #expect(!hasTag(text), "\(text)")
        }
    }

    @Test func randomAnswersNeverShowATag() {
        let parts = [
            "[", "[[", "]", "]]", "1", "12", " ", " ", "\n", "tap", " tap", "type:", "sum:", "[[sum: ", "|", ",", "#",
            "(",
            ")", "a", "word", "［", "］", "４", "，", "<think>", "</think>", "<", "[[3]]", "[[4 tap]]", "é", "字", "🙂",
        ]
        var dice = Dice(seed: 2_026)
        for _ in 0..<2_000 {
            let answer = (0..<(1 + dice.roll(24))).map { _ in dice.pick(parts) }
            let whole = Reading([answer.joined()])
            #expect(!hasTag(whole.text), "\(answer.joined())")
            #expect(!whole.text.lowercased().contains("[[sum:"), "\(answer.joined())")
            #expect(whole.description == Reading(answer).description, "\(answer)")
        }
    }

    @Test func randomAnswersWithCodeAndMathsReadAlikeHoweverCut() {
        let parts = [
            "`", "```", "\n```\n", "~~~", "$", "$$", "\\", "[[1]]", "[[sum: x]]", "\n", " ", "5", "x", "the ", "{", "}",
            "[", "]", "*", "**", ".", "\r\n", ">", "-",
        ]
        var dice = Dice(seed: 7)
        for _ in 0..<2_000 {
            let answer = (0..<(1 + dice.roll(24))).map { _ in dice.pick(parts) }
            let whole = Reading([answer.joined()])
            #expect(whole.description == Reading(answer).description, "\(answer)")
            let plain = !answer.joined().unicodeScalars.contains { "`~$".unicodeScalars.contains($0) }
            if plain { #expect(!hasTag(whole.text), "\(answer.joined())") }
        }
    }

    @Test func losesAndInventsNothingWhereThereIsNoTag() {
        let parts = [
            "a", " ", "  ", "\n", "\r\n", "[", "]", "[[x", "](y)", "`", "$", "*", "é", "字", "🙂", "<", "th", "-",
        ]
        var dice = Dice(seed: 11)
        for _ in 0..<3_000 {
            // A last mark that could begin a tag is dropped by design.
            let answer = (0..<(1 + dice.roll(20))).map { _ in dice.pick(parts) }.joined() + "."
            #expect(Reading([answer]).text == answer)
        }
    }

    @Test(arguments: [
        "[", "[[1 ", "[[1 type:", "[[sum: ", "[[1 type:[[2]]", "]", "$", "`", "<think", "word ", " ", "[[1],",
        "[[12 [[13", "[[1 type:(",
    ])
    func takesStepsInProportionToTheAnswer(part: String) {
        func steps(_ byteCount: Int) -> Int {
            Reading([String(repeating: part, count: byteCount / part.utf8.count)]).stepCount
        }
        let few = steps(3_000)
        // Nested arguments are read again once for each open bracket, and those are few.
        #expect(few <= 6 * 3_000)
        #expect(steps(9_000) <= 4 * few)
    }

    @Test func reads100KilobytesInLittleTime() {
        let clock = ContinuousClock()
        let answer = String(repeating: "Look at the sign [[12]] in $x = 2$.\n", count: 2_800)
        let time = clock.measure { #expect(Reading([answer]).points.count == 2_800) }
        #expect(time < .seconds(20))
    }

    private func hasTag(_ text: String) -> Bool {
        let plain = text.replacing("［", with: "[").replacing("］", with: "]")
        return plain.contains(/\[\[ *#? *[0-9]+ *\]\]/) || plain.contains(/\[\[ *[0-9]+ +tap *\]\]/)
    }
}
