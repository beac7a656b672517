// Walker: reads the structure of the page as the protocol's elements: who they are, what they say, where they are.
// Spec: docs/protocol.md §4. Boxes are normalised to the viewport, origin top left; what is blocked is never visited.
// Ids: `data-chalkline-id` wins; any other node gets one that stays its own for as long as the node lives.

import { INTERACTIVE, elementStates, elementType, errorMessageIds, isEditable, isPersonal, isSecure } from "./roles.js";
import { MASK, accessibleName, cut, isOwnPart, ownText, privacyMark, visibleText } from "./names.js";

/** Most elements of a screen; the nearest to the viewport are kept (the server's limit is 2 000). */
export const MOST_ELEMENTS = 1_500;

/** Most bytes of a screen, as estimated; the nearest to the viewport are kept (a message may have 256 KiB). */
export const MOST_SCREEN_BYTES = 230_000;

/** Most bytes of each text of an element (the server's limit is 2 000). */
export const MOST_BYTES = 2_000;

const ID = /^[A-Za-z0-9._:-]{1,64}$/;
const SKIPPED = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "LINK", "META", "BR", "HR"]);
const TYPED = new Set(["input", "math", "code", "text", "other"]);
const FIELDS = new Set(["INPUT", "TEXTAREA"]);
const TICKED = new Set(["checkbox", "radio", "switch"]);
const REGIONS = new Set(["FORM", "SECTION", "NAV", "ASIDE", "HEADER", "FOOTER", "MAIN", "FIELDSET"]);
const BLOCKS = "p,div,ul,ol,li,table,section,article,form,fieldset,h1,h2,h3,h4,h5,h6,pre,math,img,canvas,video";

export class Walker {
    #root;
    #salt;
    #ids = new WeakMap();
    #nodes = new Map();
    #elements = new Map();
    #count = 0;

    /** @param {{root?: Element, salt?: string}} [options] `salt` keeps the ids of two loads of a page apart. */
    constructor({ root = document.body, salt = Math.random().toString(36).slice(2, 5) } = {}) {
        this.#root = root;
        this.#salt = salt;
    }

    /** The root that is walked. */
    get root() { return this.#root; }

    /** The elements of the last walk, by id. */
    get elements() { return this.#elements; }

    /** Walks the page. @returns {Map<string, object>} elements by id, in document order */
    collect() {
        const walk = { errors: errorMessageIds(this.#root), taken: new Map(), found: [] };
        this.#visit(this.#root, { isMasked: false, region: undefined, isLabel: false }, walk);
        const kept = nearestToViewport(walk.found);
        this.#elements = new Map(kept.map((element) => [element.id, element]));
        this.#nodes = new Map(kept.map((element) => [element.id, new WeakRef(walk.taken.get(element.id))]));
        return this.#elements;
    }

    /** The live node of an element, or null when it is gone. */
    node(id) {
        const node = this.#nodes.get(id)?.deref();
        return node?.isConnected ? node : null;
    }

    /** Where an element is now, in CSS pixels of the viewport; null when its node is gone or not shown. */
    rect(id) {
        const node = this.node(id);
        if (!node || !node.checkVisibility({ visibilityProperty: true })) return null;
        const rect = rectOf(node);
        return rect.width > 0 && rect.height > 0 ? rect : null;
    }

    /** The element that a node belongs to, or null. */
    idAt(node) {
        for (let step = node; step instanceof Element; step = step.parentElement) {
            const id = this.#idOf(step);
            if (id && this.#nodes.get(id)?.deref() === step) return id;
        }
        return null;
    }

    /** A short name for a person: the label, else the text. */
    describe(id) {
        const element = this.#elements.get(id);
        const name = element?.label || element?.content || element?.placeholder || "";
        return name.length > 32 ? `${name.slice(0, 31)}…` : name;
    }

    #visit(node, context, walk) {
        if (SKIPPED.has(node.tagName) || isOwnPart(node) || node.getAttribute("aria-hidden") === "true") return;
        const mark = privacyMark(node);
        if (mark === "block" || !isShown(node)) return;
        const inner = {
            isMasked: mark === "mask" || (context.isMasked && mark !== "allow"),
            region: regionOf(node) ?? context.region,
            // The text of a label is the name of its control, and goes with it.
            isLabel: context.isLabel || isLabelOfShown(node),
        };
        const type = elementType(node, walk.errors);
        if (type) {
            this.#emit(node, type, inner, mark, walk);
            const isWhole = type !== "dialog" && !((type === "heading" || type === "alert" || type === "error")
                && holds(node, INTERACTIVE));
            if (isWhole) return;
        } else if (ownText(node) && !inner.isLabel) {
            const isWhole = !holds(node, `${INTERACTIVE},${BLOCKS}`);
            this.#emit(node, "text", inner, mark, walk, isWhole ? undefined : ownText(node));
            if (isWhole) return;
        }
        for (const child of node.children) this.#visit(child, inner, walk);
    }

    #emit(node, type, { isMasked, region }, mark, walk, text) {
        if (isSecure(node)) return;
        const box = normalised(rectOf(node));
        if (box[2] === 0 || box[3] === 0) return;
        const parts = contentOf(node, type, text);
        if (mark === "ignore" && parts.isTyped) parts.content = "";
        if (parts.isTyped && isPersonal(node) && mark !== "allow") parts.content = masked(parts.content);
        if (isMasked) for (const key of ["content", "label", "placeholder"]) parts[key] = masked(parts[key]);
        if (!parts.content && !parts.label && !parts.isTyped && type !== "button") return;

        const element = { id: this.#claim(node, walk.taken), type, content: cut(parts.content, MOST_BYTES), box };
        if (parts.placeholder) element.placeholder = cut(parts.placeholder, MOST_BYTES);
        if (parts.label && parts.label !== parts.content) element.label = cut(parts.label, MOST_BYTES);
        const state = elementStates(node);
        if (state) element.state = state;
        if (region) element.region = region;
        const line = Number.parseInt(node.getAttribute("data-chalkline-line") ?? "", 10);
        if (line > 0) element.line = line;
        walk.found.push(element);
    }

    /** The id of a node; one that is already taken on this walk (a page's own mistake) falls back to a made one. */
    #claim(node, taken) {
        let id = this.#idOf(node) ?? this.#makeID(node);
        if (taken.has(id)) id = this.#ids.get(node) ?? this.#makeID(node);
        taken.set(id, node);
        return id;
    }

    #idOf(node) {
        const given = node.getAttribute("data-chalkline-id");
        return given && ID.test(given) ? given : this.#ids.get(node);
    }

    #makeID(node) {
        this.#count += 1;
        const id = `n${this.#salt}-${this.#count}`;
        this.#ids.set(node, id);
        return id;
    }
}

/** The rectangle of a node in the viewport; a box that does not exist itself (`display: contents`) is its content's. */
function rectOf(node) {
    const rect = node.getBoundingClientRect();
    if (rect.width > 0 || getComputedStyle(node).display !== "contents") return rect;
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
}

function normalised({ x, y, width, height }) {
    const round = (value) => Math.round(value * 1e5) / 1e5;
    return [round(x / innerWidth), round(y / innerHeight), round(width / innerWidth), round(height / innerHeight)];
}

/** Controls are often drawn by their label with opacity 0; anything else that is transparent is not there. */
function isShown(node) {
    const isControl = FIELDS.has(node.tagName) || node.tagName === "SELECT";
    return node.checkVisibility({ visibilityProperty: true, opacityProperty: !isControl });
}

function holds(node, selector) {
    return node.firstElementChild !== null && node.querySelector(selector) !== null;
}

function isLabelOfShown(node) {
    return node.tagName === "LABEL" && node.control !== null && isShown(node.control);
}

function regionOf(node) {
    const given = node.getAttribute("data-chalkline-region");
    if (given) return cut(given, 64);
    if (!REGIONS.has(node.tagName) && !/^(region|group)$/.test(node.getAttribute("role") ?? "")) return undefined;
    const name = node.getAttribute("aria-label") ?? (node.hasAttribute("aria-labelledby") ? accessibleName(node) : "");
    return name ? cut(name, 64) : undefined;
}

/** The texts of an element by its type; `isTyped` where a person can write into it. */
function contentOf(node, type, text) {
    const isField = FIELDS.has(node.tagName) || isEditable(node);
    if (type === "select" && node.tagName === "SELECT") {
        const option = node.selectedOptions[0];
        const hint = [...node.options].find((candidate) => candidate.value === "");
        const content = option && option.value !== "" ? option.text.trim() : "";
        return { content, label: accessibleName(node), placeholder: hint?.text.trim(), isTyped: true };
    }
    if (isField && (TYPED.has(type) || type === "select")) {
        const isFile = node.type === "file";
        const content = isFile ? "" : (node.value ?? visibleText(node));
        return { content, label: accessibleName(node), placeholder: node.placeholder, isTyped: true };
    }
    if (TICKED.has(type)) return { content: accessibleName(node), isTyped: false };
    if (type === "image" || type === "dialog") return { content: imageText(node), isTyped: false };
    if (type === "button" && node.tagName === "INPUT") return { content: node.value || node.alt, isTyped: false };
    const content = text ?? visibleText(node);
    return { content: content || accessibleName(node), label: labelOf(node), isTyped: false };
}

function imageText(node) {
    return node.getAttribute("aria-label") ?? (node.hasAttribute("aria-labelledby") ? accessibleName(node) : node.alt)
        ?? "";
}

function labelOf(node) {
    const isNamed = node.hasAttribute("aria-label") || node.hasAttribute("aria-labelledby");
    return isNamed ? accessibleName(node) : undefined;
}

function masked(text) {
    return text ? MASK : text;
}

/** The elements that a message has room for, in their order. */
export function nearestToViewport(found) {
    const sizes = found.map(messageBytes);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (found.length <= MOST_ELEMENTS && total <= MOST_SCREEN_BYTES) return found;
    const distance = ({ box }) => Math.max(0, -(box[1] + box[3]), box[1] - 1);
    const order = found.map((element, index) => ({ index, far: distance(element) }));
    order.sort((a, b) => a.far - b.far || a.index - b.index);
    let room = MOST_SCREEN_BYTES;
    const kept = order.slice(0, MOST_ELEMENTS).map(({ index }) => index).filter((index) => (room -= sizes[index]) >= 0);
    return kept.sort((a, b) => a - b).map((index) => found[index]);
}

/** The bytes of an element in a message: its texts as JSON writes them, and what stands around them. */
function messageBytes({ content, label = "", placeholder = "", region = "" }) {
    let bytes = 130;
    for (const text of [content, label, placeholder, region]) {
        for (let index = 0; index < text.length; index += 1) bytes += characterBytes(text.charCodeAt(index));
    }
    return bytes;
}

function characterBytes(code) {
    if (code === 0x09 || code === 0x0a || code === 0x22 || code === 0x5c) return 2;
    if (code < 0x20) return 6;
    return code < 0x80 ? 1 : 3;
}
