// Panel: where a student asks and reads. At the side of a wide page, a sheet at the foot of a narrow one.
// The streamed text is in no live region: a reader hears the finished answer once, from one status region, and errors
// from one alert.

import { AnswerView } from "./answer.js";
import { h, icon, setText } from "./dom.js";
import { ShareView } from "./share.js";
import { runningTurn } from "./turn.js";

/** Below this width the panel is a sheet, in CSS pixels. The style sheet says the same. */
const NARROW = "(max-width: 859px)";

export class Panel {
    #acts;
    #strings;
    #state = { turns: [] };
    #link = { state: "connecting", code: null };
    #views = new Map();
    #running = new Set();
    #parts = {};
    #share;
    #isFollowing = true;
    #followedTo = 0;
    #narrow = matchMedia(NARROW);

    /**
     * @param {object} options
     * @param {object} options.strings
     * @param {object} options.acts `ask(text)`, `more(turn)`, `stop()`, `step(turn, n, ok)`, `reveal(id)`,
     *   `describe(id)`, `elements()`, `paint(elements)`, `changeLanguage()`, `reconnect()`, `resized(inset)`
     */
    constructor({ strings, acts }) {
        this.#acts = acts;
        this.#strings = strings;
        this.node = h("aside", { "class": "ck-panel", "data-chalkline-part": "panel", "data-size": "peek" });
        document.body.append(this.node);
        this.#build();
        this.#narrow.addEventListener("change", () => this.#measure());
        new ResizeObserver(() => this.#measure()).observe(this.node);
    }

    /** Speaks another language; what was typed and shown stays. */
    set strings(strings) {
        this.#strings = strings;
        this.#build();
        this.#parts.language.focus();
    }

    /** The state of the connection. */
    set link(link) {
        this.#link = link;
        this.node.dataset.chalklineState = link.state;
        setText(this.#parts.link, this.#strings.states[link.state] ?? "");
        const { notice } = this.#parts;
        const text = { 4501: this.#strings.unauthorized, 4505: this.#strings.replaced }[link.code];
        const isStopped = link.state === "stopped";
        notice.hidden = !isStopped;
        if (!isStopped) return;
        notice.replaceChildren(h("span", { text: text ?? this.#strings.states.stopped }), h("button", {
            class: "ck-button", type: "button", onclick: () => this.#acts.reconnect(),
            text: link.code === 4505 ? this.#strings.useHere : this.#strings.retry,
        }));
    }

    /** Shows the turns. */
    render(state) {
        this.#state = state;
        const { list, welcome, stop } = this.#parts;
        const last = state.turns.at(-1);
        welcome.hidden = state.turns.length > 0;
        for (const turn of state.turns) {
            let view = this.#views.get(turn.key);
            if (!view) {
                view = new AnswerView(this.#strings, this.#acts);
                this.#views.set(turn.key, view);
                list.append(view.node);
            }
            view.update(turn, turn === last);
            this.#announce(turn, view);
        }
        const kept = new Set(state.turns.map((turn) => turn.key));
        for (const [key, view] of this.#views) {
            if (!kept.has(key)) {
                view.node.remove();
                this.#views.delete(key);
            }
        }
        const isRunning = runningTurn(state) !== undefined;
        stop.hidden = !isRunning;
        this.#follow(last);
    }

    /** Puts the caret into the question. */
    focusAsk() {
        this.#parts.input.focus();
    }

    /** Makes the sheet high enough to read an answer; the page above it stays in view. */
    open() {
        if (this.node.dataset.size === "peek") this.#resize("half");
        this.#isFollowing = true;
    }

    /** Closes what is open above the conversation. @returns {boolean} whether anything was */
    closeShare() {
        const wasOpen = this.#share.isOpen;
        this.#share.close();
        return wasOpen;
    }

    /** Takes the panel off the page. */
    remove() {
        this.node.remove();
    }

    #build() {
        const strings = this.#strings;
        const draft = this.#parts.input?.value ?? "";
        this.#share?.close();
        const button = (name, label, onclick, ...children) =>
            h("button", { "class": name, "type": "button", "aria-label": label, "title": label, onclick }, ...children);
        const parts = this.#parts = {
            link: h("span", { class: "ck-link-text" }),
            list: h("div", { class: "ck-list" }),
            welcome: h("div", { class: "ck-welcome" },
                h("h2", { text: strings.greeting }), h("p", { text: strings.intro }),
                h("div", { class: "ck-suggestions" }, ...strings.suggestions.map((text) =>
                    h("button", { class: "ck-suggestion", type: "button", text, onclick: () => this.#submit(text) })))),
            notice: h("div", { class: "ck-notice", role: "alert", hidden: true }),
            status: h("div", { class: "ck-hidden", role: "status" }),
            alert: h("div", { class: "ck-hidden", role: "alert" }),
            input: h("textarea", {
                "class": "ck-input", "rows": "1", "maxlength": "2000", "enterkeyhint": "send",
                "aria-label": strings.ask, "placeholder": strings.ask,
                "oninput": () => this.#grow(), "onkeydown": (event) => this.#key(event),
            }),
            send: h("button", {
                "class": "ck-send", "type": "submit", "aria-label": strings.send, "title": strings.send,
            }, icon("M12 19V6M6 11.5 12 5.5l6 6")),
            stop: button("ck-stop", strings.stop, () => this.#acts.stop(), icon("M8 8h8v8H8z"), strings.stop),
            share: button("ck-button ck-quiet", strings.shared, () => this.#toggleShare(), strings.shared),
            language: button("ck-tool", strings.switchLanguage, () => this.#acts.changeLanguage(),
                strings.otherLanguage),
            size: button("ck-tool ck-size", strings.expand, () => this.#toggleSize(), icon("M6 14.5l6-6 6 6")),
        };
        parts.stop.hidden = true;
        parts.body = h("div", {
            "class": "ck-body", "role": "region", "tabindex": "0", "aria-label": strings.conversation,
            "onscroll": () => this.#noteScroll(),
        }, parts.welcome, parts.list);
        this.#share = new ShareView({
            strings, elements: this.#acts.elements, paint: this.#acts.paint, onClose: () => parts.share.focus(),
        });
        this.node.lang = strings.language;
        this.node.setAttribute("aria-label", strings.tutor);
        this.#views.clear();
        this.node.replaceChildren(
            h("header", { class: "ck-head" },
                h("span", { class: "ck-brand" }, icon("M4 17.5 20 6.5", "M4 20.5h16"), "Chalkline"),
                h("span", { class: "ck-link" }, h("span", { class: "ck-dot" }), parts.link),
                parts.language, parts.size),
            parts.body, parts.notice, this.#share.node,
            h("form", { class: "ck-ask", onsubmit: (event) => {
                event.preventDefault();
                this.#submit(parts.input.value);
            } },
            h("div", { class: "ck-field" }, parts.input, parts.stop, parts.send),
            h("div", { class: "ck-under" }, h("span", { class: "ck-keys", text: strings.keys }), parts.share)),
            parts.status, parts.alert);
        parts.input.value = draft;
        this.link = this.#link;
        this.render(this.#state);
        this.#resize(this.node.dataset.size);
    }

    #submit(text) {
        const question = text.trim();
        if (question === "") return this.focusAsk();
        this.#parts.input.value = "";
        this.#grow();
        this.#share.close();
        this.open();
        this.#acts.ask(question);
    }

    /** Enter sends, Shift+Enter breaks the line; an Enter that ends a word in an input method does neither. */
    #key(event) {
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        this.#submit(this.#parts.input.value);
    }

    #grow() {
        const { input } = this.#parts;
        input.style.height = "auto";
        input.style.height = `${Math.min(input.scrollHeight, 132)}px`;
    }

    #toggleShare() {
        if (this.closeShare()) return;
        this.open();
        this.#share.open();
    }

    #toggleSize() {
        this.#resize({ peek: "half", half: "peek" }[this.node.dataset.size]);
    }

    #resize(size) {
        this.node.dataset.size = size;
        const label = size === "peek" ? this.#strings.expand : this.#strings.collapse;
        this.#parts.size.setAttribute("aria-label", label);
        this.#parts.size.setAttribute("aria-expanded", String(size !== "peek"));
        this.#parts.size.title = label;
    }

    /** Keeps the newest turn in sight from its question on, until the reader scrolls. */
    #follow(last) {
        const { body } = this.#parts;
        const node = last && this.#views.get(last.key).node;
        if (!node || !this.#isFollowing) return;
        this.#followedTo = Math.min(node.offsetTop - body.offsetTop, body.scrollHeight - body.clientHeight);
        body.scrollTop = this.#followedTo;
    }

    #noteScroll() {
        if (Math.abs(this.#parts.body.scrollTop - this.#followedTo) > 4) this.#isFollowing = false;
    }

    #measure() {
        const { width, height } = this.node.getBoundingClientRect();
        this.#acts.resized(this.#narrow.matches ? { right: 0, bottom: height } : { right: width, bottom: 0 });
    }

    /** Says each turn's end once, and only of turns that this page saw running. */
    #announce(turn, view) {
        if (turn.isRunning) this.#running.add(turn.key);
        else if (this.#running.delete(turn.key)) {
            const { status, alert } = this.#parts;
            const { announced, reasons, failed } = this.#strings;
            if (turn.status === "done") setText(status, announced(view.plainText));
            else if (turn.status === "failed") setText(alert, reasons[turn.reason] ?? failed);
        }
    }
}
