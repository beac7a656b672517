// MarkdownView: shows a growing answer as DOM nodes: paragraphs, lists, code, bold, italic and `$…$` maths.
// Spec: docs/protocol.md §5 rule 7. Text only ever becomes text nodes, so an answer cannot bring markup with it.
// Plan: finished blocks keep their nodes; only the text from the last unfinished block on is read and built again.

import { h } from "./dom.js";

/** Stands in the text where a pointer's marker goes (a Unicode noncharacter: never part of a real answer). */
export const MARKER = "\uFDD0";

export class MarkdownView {
    #container;
    #makeMarker;
    #text = "";
    #doneLength = 0;
    #doneNodes = 0;
    #doneMarkers = 0;

    /**
     * @param {Element} container gets the blocks as children
     * @param {(index: number) => Node} [makeMarker] makes the node of the n-th marker, from 0
     */
    constructor(container, makeMarker = () => document.createTextNode("")) {
        this.#container = container;
        this.#makeMarker = makeMarker;
    }

    /** Shows a text. While `isFinal` is false an emphasis that is still open is shown as if it closed at the end. */
    update(text, isFinal = true) {
        if (!text.startsWith(this.#text.slice(0, this.#doneLength))) {
            this.#doneLength = this.#doneNodes = this.#doneMarkers = 0;
        }
        this.#text = text;
        const rest = text.slice(this.#doneLength);
        // What a line is shows only after its first signs: a lone "-" may become an item of the list above it.
        const blocks = parseBlocks(isFinal ? rest : rest.replace(/(^|\n)\s*([-*•#$`]+|\d{1,3}[.)]?)?\s*$/, "$1"));
        const last = blocks.at(-1);
        const isLastCertain = last !== undefined && rest.includes("\n", last.start);
        const doneCount = Math.max(0, blocks.length - (isLastCertain ? 1 : 2));
        const context = { isFinal, marker: this.#doneMarkers, makeMarker: this.#makeMarker };
        const kept = [...this.#container.childNodes].slice(0, this.#doneNodes);
        const made = [];
        blocks.forEach((block, index) => {
            made.push(buildBlock(block, context));
            if (index < doneCount) {
                this.#doneNodes += 1;
                this.#doneMarkers = context.marker;
            }
        });
        if (doneCount > 0) this.#doneLength += blocks[doneCount].start;
        this.#container.replaceChildren(...kept, ...made);
    }
}

/** Splits a text into blocks: `{kind: "paragraph"|"list"|"code"|"math", lines, start, isOrdered?, from?}`. */
export function parseBlocks(text) {
    const blocks = [];
    let block = null;
    let start = 0;
    const open = (kind, more = {}) => {
        block = { kind, lines: [], start, ...more };
        blocks.push(block);
    };
    for (const line of text.split("\n")) {
        const item = /^\s{0,6}(?:[-*•]|(\d{1,3})[.)])\s+(.*)$/.exec(line);
        if (block?.kind === "code") {
            if (/^\s*```\s*$/.test(line)) block = null;
            else block.lines.push(line);
        } else if (/^\s*```/.test(line)) {
            open("code");
        } else if (block?.kind === "math") {
            block.lines.push(line.replace(/\$\$\s*$/, ""));
            if (line.trimEnd().endsWith("$$")) block = null;
        } else if (/^\s*\$\$/.test(line)) {
            const inner = line.trim().slice(2);
            open("math");
            block.lines.push(inner.replace(/\$\$$/, ""));
            if (inner.endsWith("$$")) block = null;
        } else if (line.trim() === "") {
            // A list goes on over an empty line; a paragraph ends at it.
            if (block?.kind === "paragraph") block = null;
        } else if (item) {
            const isOrdered = item[1] !== undefined;
            if (block?.kind !== "list" || block.isOrdered !== isOrdered) {
                open("list", { isOrdered, from: Number(item[1] ?? 1) });
            }
            block.lines.push(item[2]);
        } else if (block?.kind === "list" && /^\s+\S/.test(line)) {
            block.lines[block.lines.length - 1] += ` ${line.trim()}`;
        } else {
            const heading = /^#{1,6}\s+(.*)$/.exec(line);
            if (heading) {
                open("paragraph");
                block.lines.push(`**${heading[1].replaceAll("**", "")}**`);
                block = null;
            } else {
                if (block?.kind !== "paragraph") open("paragraph");
                block.lines.push(line);
            }
        }
        start += line.length + 1;
    }
    return blocks;
}

function buildBlock(block, context) {
    if (block.kind === "code") return h("pre", {}, h("code", { text: block.lines.join("\n") }));
    if (block.kind === "math") return h("p", { class: "ck-math-block" }, mathSpan(block.lines.join(" "), context));
    if (block.kind === "list") {
        const items = block.lines.map((line) => h("li", {}, ...inline(line, context)));
        return h(block.isOrdered ? "ol" : "ul", { start: block.isOrdered && block.from !== 1 && block.from }, ...items);
    }
    return h("p", {}, ...inline(block.lines.join("\n"), context));
}

/** Inline forms: code, displayed maths, maths, bold, italic. The lengths are bounded so that reading stays linear. */
const SPAN = new RegExp([
    "(`+)([\\s\\S]{1,2000}?)\\1(?!`)", "\\$\\$([\\s\\S]{1,500}?)\\$\\$", "\\$(?=\\S)([^$\\n]{0,500}?\\S)\\$(?!\\d)",
    "\\*\\*(?=\\S)([\\s\\S]{1,1000}?)\\*\\*", "\\*(?=[^\\s*])([^*]{1,500}?)\\*",
].join("|"));

function inline(text, context) {
    const nodes = [];
    let rest = text;
    while (rest !== "") {
        const match = SPAN.exec(rest);
        if (!match) break;
        nodes.push(...plain(rest.slice(0, match.index), context));
        const [whole, , code, display, maths, bold, italic] = match;
        if (code !== undefined) nodes.push(h("code", {}, ...plain(code, context)));
        else if (bold !== undefined) nodes.push(h("strong", {}, ...inline(bold, context)));
        else if (italic !== undefined) nodes.push(h("em", {}, ...inline(italic, context)));
        else nodes.push(mathSpan(display ?? maths, context));
        rest = rest.slice(match.index + whole.length);
    }
    const open = context.isFinal ? null : /(\*\*|`)(?=\S)([^*`]*)$/.exec(rest);
    if (open) {
        nodes.push(...plain(rest.slice(0, open.index), context));
        nodes.push(h(open[1] === "`" ? "code" : "strong", {}, ...plain(open[2], context)));
    } else {
        nodes.push(...plain(rest, context));
    }
    return nodes;
}

/** Until a typesetter is loaded maths is a span of its own, with letters in italics and the signs of print. */
function mathSpan(source, context) {
    const span = h("span", { class: "ck-math" });
    const text = source.trim().replace(/\\(cdot|times)/g, "·").replace(/\\frac\{([^{}]*)\}\{([^{}]*)\}/g, "($1)/($2)")
        .replace(/\\[,;!]/g, " ").replace(/-/g, "−");
    for (const part of text.split(/([A-Za-z]+)/)) {
        span.append(...(/^[a-z]$/i.test(part) ? [h("i", { text: part })] : plain(part, context)));
    }
    return span;
}

function plain(text, context) {
    if (text === "") return [];
    const nodes = [];
    text.split(MARKER).forEach((part, index) => {
        if (index > 0) {
            nodes.push(context.makeMarker(context.marker));
            context.marker += 1;
        }
        if (part !== "") nodes.push(document.createTextNode(part));
    });
    return nodes;
}
