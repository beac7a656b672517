// BuiltinPhrases+Chinese: the Chinese table.
// Spec: docs/builtin.md (languages)

extension BuiltinPhrases {
    /// The Chinese table (simplified characters).
    public static let chinese = BuiltinPhrases(
        slips: [
            .arithmetic: Slip(
                question: "哪一步计算你愿意放慢速度再算一遍？",
                concept: "每一步都正着算一遍，再倒着验算一遍，看能不能回到上一行。",
                name: "这里的计算结果不对，请把数再算一遍。",
                short: "计算"),
            .distribution: Slip(
                question: "给括号乘或除一个数时，括号里的哪些项要跟着变？",
                concept: "括号前的因数要乘括号里的每一项，除数也要除分子上的每一项。",
                name: "这是去括号时的分配错误：因数或除数没有作用到括号里的每一项。",
                short: "分配律"),
            .divisionOfOneSide: Slip(
                question: "在方程里乘或除以一个数时，所有的项都要怎样？",
                concept: "等式两边的每一项都乘或除以同一个数，等式才仍然成立。",
                name: "没有对所有的项都乘或除：有一边或某一项保持了原样。",
                short: "只变了一边"),
            .droppedTerm: Slip(
                question: "一行一行比较项数：每一项都有去处吗？",
                concept: "从一行到下一行，项可以合并或移动，但不会凭空消失。",
                name: "上一行的某一项在这里漏掉了。",
                short: "漏项"),
            .sign: Slip(
                question: "一项移到等号另一边，或者去掉前面带减号的括号时，符号会怎样变？",
                concept: "移项要变号；括号前是减号，去括号时里面每一项都要变号。",
                name: "这是符号错误：请检查每一项的符号，尤其是移项或去括号的那一项。",
                short: "符号"),
            .wrongOperation: Slip(
                question: "你想消去的运算，应该用哪一种运算来抵消？或者应该先算哪一步？",
                concept: "加用减来抵消，乘用除来抵消；先乘除，后加减。",
                name: "这里用错了运算：要用相反的运算来抵消，并注意运算顺序。",
                short: "运算"),
        ],
        otherSlip: Slip(
            question: "每一行是怎样从上一行得到的？请逐行说一说。",
            concept: "方程的每一行都应当和上一行有相同的解。",
            name: "它的解和上一行不同，所以这一步出了问题。",
            short: "步骤"),
        nextSteps: [
            .collectTerms: Step(
                question: "同一边有哪些项是同类项？", concept: "含相同未知数的项可以相加，常数项也可以相加。",
                name: "下一步：合并同类项。", short: "合并同类项"),
            .divide: Step(
                question: "离未知数单独出现还差什么？用什么运算抵消它？", concept: "系数用两边同除来消去，除数用两边同乘来消去。",
                name: "下一步：两边同时除以未知数的系数，或同时乘它的除数。", short: "系数化为一"),
            .expand: Step(
                question: "怎样去掉括号或分数线？", concept: "括号前的因数要乘里面的每一项；除数用两边同乘来消去。",
                name: "下一步：去括号或去分母，注意每一项都要乘到。", short: "去括号"),
            .factor: Step(
                question: "未知数有乘方，写成什么形式能看出它的值？", concept: "乘积为零，当且仅当其中一个因式为零。",
                name: "下一步：把所有的项移到一边，再因式分解或用公式。", short: "因式分解"),
            .isolate: Step(
                question: "哪些项应该放在哪一边？怎样移项？", concept: "等式两边同加或同减一个数，等式仍然成立。",
                name: "下一步：移项，把含未知数的项放到一边，常数放到另一边。", short: "移项"),
            .workOut: Step(
                question: "还剩下什么要算？", concept: "未知数已经单独在一边，只剩另一边的计算。",
                name: "下一步：把数算出来。", short: "计算"),
        ],
        anyStep: Step(
            question: "离未知数单独出现还差什么？", concept: "两边做同样的运算，直到未知数单独出现。",
            name: "下一步：两边做同样的运算，让未知数更接近单独出现。", short: "下一步"),
        lineDoesNotFollow: "这一行{line}不能由上面的式子得出。",
        lineIsWrong: "这一行{line}本身不成立。",
        stepInLineDoesNotFollow: "这一行{line}里有一步不能由前面的式子得出。",
        example: "换几个数的类似题目：{steps}。",
        correction: "这一行应该是 {right}。",
        solution: "解是 {right}。",
        tryYourAnswer: "把你的答案代入未知数，两边各等于多少？",
        answerDoesNotFit: "这个空{field}里的值不能使等式成立：代入未知数，比较一下两边。",
        solved: "每一步都对，这一行{line}就是解。",
        writeItHere: "把它写在这里{field}。",
        handItIn: "可以用这个按钮{button}提交。",
        rightSoFar: "到这一行{line}为止都是对的。",
        doubtfulLine: "我看不出这一行{line}是怎样从上面得到的。如果它应当由上面得出，请再检查这一步。",
        oneSolution: "这一行{line}给出了一个解。只有这一个解吗？",
        noMistakeFound: "在我能检查的各行里没有发现错误。",
        begin: "从这个方程{line}开始。",
        invalidField: "页面不接受这个输入框{field}里的内容，请检查格式和拼写。",
        errorOfField: "页面提示{text}{message}。问题在这个输入框{field}，请修改里面的内容。",
        errorAlone: "页面提示{text}{message}。",
        requiredField: "这个输入框{field}是必填的，现在还空着。",
        buttonWaits: "这个按钮{button}现在不能用，很可能在等这里{cause}填好。",
        buttonOff: "这个按钮{button}现在不能用，屏幕上看不出它在等什么。",
        itIsHere: "在这里{here}。",
        theyAreHere: "看这里{here}。",
        notOnScreen: "在这个屏幕上找不到。",
        theseFit: "屏幕上和问题有关的部分：{parts}。",
        needsModel: "我是内置助教，只会检查方程和表单；要完整回答，需要接入语言模型。",
        nothingFits: "这个屏幕上没有和问题相符的内容；我只是内置助教，要完整回答，需要接入语言模型。",
        sumHinted: "提示了一处{slip}错误。",
        sumWrong: "指出第一处错误的行：{slip}。",
        sumWrongAnswer: "输入框里的答案不是方程的解。",
        sumSolved: "推导正确，已解出。",
        sumDoubtful: "请学生再检查一步。",
        sumOneSolution: "已得到一个解，问了是否还有别的解。",
        sumNoMistake: "能检查的部分没有发现错误。",
        sumRightSoFar: "目前都对，下一步：{step}。",
        sumBegin: "说明了如何开始：{step}。",
        sumError: "指出了错误提示和对应的输入框。",
        sumRequired: "指出了空着的必填项。",
        sumButton: "说明了按钮为什么不能用。",
        sumWhere: "指出了位置。",
        sumRelevant: "列出了屏幕上相关的部分。",
        sumNothing: "屏幕上没有相符的内容。",
        openingQuote: "「",
        closingQuote: "」",
        comma: "、",
        arrow: " → ")
}
