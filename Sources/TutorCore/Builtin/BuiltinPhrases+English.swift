// BuiltinPhrases+English: the English table.
// Spec: docs/builtin.md (languages)

extension BuiltinPhrases {
    /// The English table.
    public static let english = BuiltinPhrases(
        slips: [
            .arithmetic: Slip(
                question: "Which of your calculations would you like to do once more, slowly?",
                concept:
                    "Work each step out twice: once forwards, and once backwards to see whether you return to the line above.",
                name:
                    "A calculation in it came out wrong. Work the numbers out again.",
                short: "calculation"),
            .distribution: Slip(
                question: "When a bracket is multiplied or divided, which of the terms inside does that reach?",
                concept:
                    "A factor in front of a bracket multiplies every term inside, and a divisor divides every term above the line.",
                name: "It is a distribution slip: the factor or divisor did not reach every term of the bracket.",
                short: "distribution"),
            .divisionOfOneSide: Slip(
                question: "When you divide or multiply in an equation, what has to happen to all of its terms?",
                concept:
                    "An equation stays true only if both sides, with every one of their terms, are divided or multiplied by the same number.",
                name: "Not everything was divided or multiplied: a side, or a term of it, was left as it was.",
                short: "one side only"),
            .droppedTerm: Slip(
                question: "Compare the number of terms from line to line: did each of them go somewhere?",
                concept: "From one line to the next a term may be combined or moved, but it never just disappears.",
                name: "A term of the line before is missing here.",
                short: "a lost term"),
            .sign: Slip(
                question:
                    "What happens to the sign of a term when it changes sides, or when a bracket behind a minus is opened?",
                concept:
                    "A term that is added on one side is undone by subtracting it on both, so its sign turns as it changes sides; a minus in front of a bracket turns every sign inside.",
                name:
                    "It is a sign slip: check the sign of each term, above all of one that changed sides or left a bracket.",
                short: "sign"),
            .wrongOperation: Slip(
                question: "Which operation undoes the one that you want to get rid of, or which one comes first?",
                concept:
                    "Adding is undone by subtracting and multiplying by dividing; and multiplication comes before addition.",
                name:
                    "Another operation was needed: undo each operation by its opposite, and keep the order of operations.",
                short: "wrong operation"),
        ],
        otherSlip: Slip(
            question: "How did you get from each line to the next? Say the step aloud for every line.",
            concept: "Each line of an equation must have the same solutions as the line before.",
            name: "Its solution is not that of the line before, so something went wrong in this step.",
            short: "step"),
        nextSteps: [
            .collectTerms: Step(
                question: "Which terms on the same side are of the same kind?",
                concept: "Terms with the same unknown can be added up, and so can plain numbers.",
                name: "Next, put the terms of the same kind together.", short: "collect terms"),
            .divide: Step(
                question: "What still stands between you and the unknown alone, and what undoes it?",
                concept: "A factor is undone by dividing both sides, a divisor by multiplying both sides.",
                name: "Next, undo the factor or divisor of the unknown on both sides.", short: "divide both sides"),
            .expand: Step(
                question: "How could you get rid of the bracket or the fraction line?",
                concept:
                    "A factor in front of a bracket multiplies every term inside; a divisor is undone by multiplying both sides.",
                name: "Next, multiply out the bracket or clear the divisor, reaching every term.",
                short: "open the bracket"),
            .factor: Step(
                question: "The unknown appears as a power: what form makes its values visible?",
                concept: "A product is zero exactly when one of its factors is zero.",
                name: "Next, bring everything to one side and factor it, or use the formula.", short: "factor"),
            .isolate: Step(
                question: "Which terms should stand on which side, and how do you move one?",
                concept: "Adding or subtracting the same on both sides keeps an equation true.",
                name: "Next, bring the terms with the unknown to one side and the plain numbers to the other.",
                short: "move terms"),
            .workOut: Step(
                question: "What is left to calculate?",
                concept: "When the unknown stands alone, only the calculation on the other side remains.",
                name: "Next, work out the numbers.", short: "work out the numbers"),
        ],
        anyStep: Step(
            question: "What stands between you and the unknown alone?",
            concept: "Do the same on both sides until the unknown stands alone.",
            name: "Next, do the same on both sides so that the unknown comes closer to standing alone.",
            short: "next step"),
        lineDoesNotFollow: "This line{line} does not follow from the ones above it.",
        lineIsWrong: "This line{line} is not true as it stands.",
        stepInLineDoesNotFollow: "A step on this line{line} does not follow from what stands before it.",
        example: "A similar exercise with other numbers: {steps}.",
        correction: "The line should read {right}.",
        solution: "The solution is {right}.",
        tryYourAnswer: "What do you get on both sides when you put your answer in for the unknown?",
        answerDoesNotFit:
            "The value in this field{field} does not make the equation true: put it in for the unknown and compare both sides.",
        solved: "Your steps are right, and this line{line} is the solution.",
        writeItHere: "Write it here{field}.",
        handItIn: "You can hand it in with this button{button}.",
        rightSoFar: "Everything is right so far, up to this line{line}.",
        doubtfulLine:
            "I cannot see how this line{line} follows from the ones above it. If it is meant to, check that step once more.",
        oneSolution: "This line{line} gives a solution. Is it the only one?",
        noMistakeFound: "I found no mistake in the lines that I can check.",
        begin: "Begin with this equation{line}.",
        invalidField: "The page does not accept what is in this field{field}. Check its form and spelling.",
        errorOfField: "The page reports {text}{message}. It is about this field{field}: change what is in it.",
        errorAlone: "The page reports {text}{message}.",
        requiredField: "This field{field} must be filled in, and it is still empty.",
        buttonWaits: "This button{button} is switched off. It probably waits for this{cause} to be filled in.",
        buttonOff: "This button{button} is switched off, and nothing on the screen shows what it waits for.",
        itIsHere: "It is here{here}.",
        theyAreHere: "Look here{here}.",
        notOnScreen: "I cannot find that on this screen.",
        theseFit: "These parts of the screen fit your question: {parts}.",
        needsModel:
            "I am the built-in tutor and only check equations and forms; a language model would be needed for a full answer.",
        nothingFits:
            "Nothing on this screen fits your question, and I am only the built-in tutor: a language model would be needed for a full answer.",
        sumHinted: "Hinted at a {slip} slip.",
        sumWrong: "Pointed at the first wrong line: {slip}.",
        sumWrongAnswer: "The answer in the field does not solve the equation.",
        sumSolved: "The derivation is right and solved.",
        sumDoubtful: "Asked to check a step once more.",
        sumOneSolution: "One solution is found; asked whether there are more.",
        sumNoMistake: "Found no mistake in what can be checked.",
        sumRightSoFar: "Right so far; next: {step}.",
        sumBegin: "How to begin: {step}.",
        sumError: "Pointed at the error message and its field.",
        sumRequired: "Pointed at the empty required field.",
        sumButton: "Said why the button is off.",
        sumWhere: "Showed where it is.",
        sumRelevant: "Named the parts of the screen that fit.",
        sumNothing: "Found nothing on the screen that fits.",
        openingQuote: "“",
        closingQuote: "”",
        comma: ", ",
        arrow: " → ")
}
