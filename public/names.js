// names: the visible text and the accessible name of an element, with the page's privacy marks honoured.
// A simplified reading of the W3C accessible name computation: enough for pages, and it never leaves out a block mark.

/** What stands for a text that must not leave the page. It does not tell the length. */
export const MASK = "•••";

const SKIPPED = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "HEAD", "SELECT", "TEXTAREA", "INPUT", "OPTION"]);

/** The element's privacy mark: `block`, `mask`, `ignore`, `allow` or undefined. */
export function privacyMark(element) {
    return element.getAttribute("data-chalkline") ?? undefined;
}

/** Whether the element is one of our own parts (the panel, the overlay). */
export function isOwnPart(element) {
    return element.hasAttribute("data-chalkline-part");
}

/**
 * The text that a person sees in an element, white space folded.
 * @param {Element} element
 * @param {boolean} [wantsHidden] whether hidden text counts, as it does for `aria-labelledby`
 */
export function visibleText(element, wantsHidden = false) {
    const parts = [];
    collectText(element, parts, wantsHidden);
    return parts.join("").replace(/\s+/g, " ").trim();
}

function collectText(element, parts, wantsHidden) {
    for (const node of element.childNodes) {
        if (node.nodeType === Node.TEXT_NODE) parts.push(node.data);
        if (node.nodeType !== Node.ELEMENT_NODE || SKIPPED.has(node.tagName) || isOwnPart(node)) continue;
        const mark = privacyMark(node);
        if (mark === "block" || node.getAttribute("aria-hidden") === "true") continue;
        if (!wantsHidden && !node.checkVisibility({ visibilityProperty: true })) continue;
        if (mark === "mask") parts.push(MASK);
        else if (node.tagName === "IMG") parts.push(node.alt);
        else {
            const isBlock = !getComputedStyle(node).display.startsWith("inline");
            if (isBlock) parts.push(" ");
            collectText(node, parts, wantsHidden);
            if (isBlock) parts.push(" ");
        }
    }
}

/** The text nodes that stand directly in an element, white space folded. */
export function ownText(element) {
    let text = "";
    for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) text += node.data;
    return text.replace(/\s+/g, " ").trim();
}

/** The accessible name of an element, or an empty string. */
export function accessibleName(element) {
    const references = element.getAttribute("aria-labelledby")?.split(/\s+/) ?? [];
    const named = references.map((id) => element.ownerDocument.getElementById(id)).filter(isShareable);
    if (named.length > 0) return named.map((node) => visibleText(node, true)).join(" ").trim();
    const label = element.getAttribute("aria-label")?.trim();
    if (label) return label;
    const labels = [...(element.labels ?? [])].filter(isShareable);
    if (labels.length > 0) return labels.map((node) => visibleText(node)).join(" ").trim();
    if (element.alt) return element.alt.trim();
    if (!SKIPPED.has(element.tagName)) {
        const text = visibleText(element);
        if (text) return text;
    }
    return element.getAttribute("title")?.trim() ?? "";
}

function isShareable(node) {
    return node !== null && !node.closest('[data-chalkline="block"],[data-chalkline="mask"]');
}

const encoder = new TextEncoder();
const buffer = new Uint8Array(4_096);

/** Cuts a text to at most `bytes` (up to 4 096) of UTF-8, never inside a character. */
export function cut(text, bytes) {
    if (text.length * 3 <= bytes) return text;
    const { read } = encoder.encodeInto(text, buffer.subarray(0, bytes));
    return text.slice(0, read);
}
