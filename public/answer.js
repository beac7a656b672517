// AnswerView: one turn in the panel: the question, the streamed answer with its pointers, the next step, more help.
// It shows a turn as the reducer has it (turn.js) and changes nothing itself.

import { h, setText } from "./dom.js";
import { MARKER, MarkdownView } from "./markdown.js";
import { currentStep } from "./turn.js";

export class AnswerView {
    #strings;
    #acts;
    #shown = "";
    #turn = null;
    #view;
    #parts;

    /**
     * @param {object} strings texts of the panel's language
     * @param {{reveal: (id: string) => void, describe: (id: string) => string,
     *   step: (turn: object, number: number, ok: boolean) => void, more: (turn: object) => void}} acts
     */
    constructor(strings, acts) {
        this.#strings = strings;
        this.#acts = acts;
        this.#parts = {
            question: h("p", { class: "ck-question" }),
            answer: h("div", { class: "ck-answer" }),
            phase: h("p", { class: "ck-phase" }),
            step: h("div", { class: "ck-step" }),
            foot: h("div", { class: "ck-foot" }),
        };
        this.#view = new MarkdownView(this.#parts.answer, (index) => this.#pointer(index));
        /** The node of the turn. */
        this.node = h("article", { class: "ck-turn" }, ...Object.values(this.#parts));
    }

    /** The finished answer as plain text. */
    get plainText() { return this.#parts.answer.textContent.trim(); }

    /** Shows a turn. `isLast` turns offer more. */
    update(turn, isLast) {
        if (turn === this.#turn && isLast === this.isLast) return;
        this.isLast = isLast;
        this.#turn = turn;
        const { question, answer, phase } = this.#parts;
        const asked = turn.question || (turn.cause === "hint" ? this.#strings.moreHelpAsked : "");
        setText(question, asked);
        question.hidden = !asked;
        this.node.dataset.status = turn.status ?? turn.state;
        this.node.classList.toggle("ck-running", turn.isRunning);
        const text = withMarkers(turn);
        if (text !== this.#shown || !turn.isRunning) this.#view.update(text, !turn.isRunning);
        this.#shown = text;
        answer.hidden = text === "";
        const note = this.#note(turn);
        setText(phase, note);
        phase.hidden = note === "";
        this.#showStep(turn, isLast);
        this.#showFoot(turn, isLast);
    }

    #note(turn) {
        const strings = this.#strings;
        if (turn.isRunning) return turn.state === "answering" && turn.text ? "" : strings.phases[turn.state];
        if (turn.status === "done" && turn.reason !== "length") return "";
        const reason = strings.reasons[turn.reason];
        return reason ?? (turn.status === "failed" && !turn.text ? strings.failed : strings.ends[turn.status] ?? "");
    }

    #showStep(turn, isLast) {
        const strings = this.#strings;
        const step = currentStep(turn);
        const isWanted = isLast && turn.showsSteps && turn.steps.length > 0;
        const key = isWanted ? JSON.stringify([turn.steps, strings.language]) : "";
        if (this.#parts.step.dataset.key === key) return;
        this.#parts.step.dataset.key = key;
        this.#parts.step.hidden = !isWanted;
        if (!isWanted) return;
        if (!step) {
            this.#parts.step.replaceChildren(h("p", { class: "ck-step-done", text: strings.allDone }));
            return;
        }
        const name = strings.quote(this.#acts.describe(step.element));
        const button = (text, kind, act) =>
            h("button", { class: `ck-button ${kind}`, type: "button", text, onclick: act });
        const note = step.isGone ? strings.stepGone : (step.met === false ? strings.notMet : "");
        this.#parts.step.replaceChildren(
            h("p", { class: "ck-step-count", text: strings.stepOf(step.step, turn.steps.length) }),
            h("p", { class: "ck-step-text", text: strings.verbs[step.verb]?.(name, step.text) ?? step.text }),
            ...(note ? [h("p", { class: "ck-step-note", text: note })] : []),
            h("div", { class: "ck-row" },
                button(strings.done, "ck-primary", () => this.#acts.step(turn, step.step, true)),
                button(strings.cannot, "", () => this.#acts.step(turn, step.step, false)),
                step.isGone ? null : button(strings.show, "ck-quiet", () => this.#acts.reveal(step.element))),
        );
    }

    #showFoot(turn, isLast) {
        const { foot } = this.#parts;
        const key = `${turn.isRunning} ${isLast} ${turn.hintLevel} ${turn.status}`;
        if (foot.dataset.key === key) return;
        foot.dataset.key = key;
        const strings = this.#strings;
        const facts = [];
        if (turn.hintLevel !== null) facts.push(strings.hintOf(turn.hintLevel));
        if (turn.context?.elements) facts.push(strings.looked(turn.context.sent, turn.context.elements));
        const canAskMore = isLast && !turn.isRunning && turn.status === "done" && turn.hintLevel < 4;
        foot.replaceChildren(h("span", { class: "ck-facts", text: facts.join(" · ") }));
        if (canAskMore) {
            foot.append(h("button", {
                class: "ck-button ck-quiet ck-more", type: "button", text: strings.moreHelp,
                onclick: () => this.#acts.more(turn),
            }));
        }
        foot.hidden = turn.isRunning || (facts.length === 0 && !canAskMore);
    }

    /** The number is drawn by the style sheet: the text of an answer stays the text that was sent. */
    #pointer(index) {
        return h("button", {
            "class": "ck-pointer", "type": "button", "data-number": String(index + 1),
            "aria-label": this.#strings.pointer(index + 1),
            "onclick": () => this.#acts.reveal(this.#turn.highlights[index].element),
        });
    }
}

/** The text with a marker where each highlight came; `at` counts Unicode scalars. */
function withMarkers(turn) {
    const text = turn.text.replaceAll(MARKER, "\uFFFD");
    if (turn.highlights.length === 0) return text;
    const scalars = [...text];
    const parts = [];
    let from = 0;
    for (const { at } of turn.highlights) {
        parts.push(scalars.slice(from, at).join(""), MARKER);
        from = Math.max(from, Math.min(at, scalars.length));
    }
    return parts.join("") + scalars.slice(from).join("");
}
