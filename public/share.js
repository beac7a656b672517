// ShareView: shows a student exactly what the tutor gets of the page: a list, and every box painted on the page.
// It lists the same elements that the walker hands to the connection, so it cannot say anything else than is sent.

import { h } from "./dom.js";

export class ShareView {
    #strings;
    #elements;
    #paint;
    #onClose;

    /**
     * @param {object} options
     * @param {object} options.strings
     * @param {() => Map<string, object>} options.elements what would be sent now
     * @param {(elements: object[] | null) => void} options.paint paints boxes on the page; null takes them away
     * @param {() => void} options.onClose
     */
    constructor({ strings, elements, paint, onClose }) {
        this.#strings = strings;
        this.#elements = elements;
        this.#paint = paint;
        this.#onClose = onClose;
        /** The section of the panel. */
        this.node = h("section", { class: "ck-share", hidden: true, tabindex: "-1" });
    }

    get isOpen() { return !this.node.hidden; }

    /** Lists and paints what is shared at this moment. */
    open() {
        const elements = [...this.#elements().values()];
        const strings = this.#strings;
        const rows = elements.map((element) => h("li", { class: "ck-share-row" },
            h("span", { class: "ck-kind", text: strings.kinds[element.type] ?? element.type }),
            h("span", { class: "ck-share-text" },
                element.label ? h("b", { text: `${element.label} ` }) : null,
                element.content || (element.label ? strings.empty : element.placeholder || strings.empty))));
        const title = h("h2", { text: strings.sharedTitle(elements.length) });
        const close = h("button", {
            class: "ck-button ck-quiet", type: "button", text: strings.hideShared, onclick: () => this.close(),
        });
        this.node.replaceChildren(h("div", { class: "ck-share-head" }, title, close),
            h("p", { class: "ck-share-note", text: strings.sharedNote }),
            h("ul", { class: "ck-share-list", tabindex: "0" }, ...rows));
        this.node.setAttribute("aria-label", strings.shared);
        this.node.hidden = false;
        this.#paint(elements);
        this.node.focus({ preventScroll: true });
    }

    /** Closes the list and takes the boxes away. */
    close() {
        if (this.node.hidden) return;
        this.node.hidden = true;
        this.#paint(null);
        this.#onClose();
    }
}
