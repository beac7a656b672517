// roles: what an HTML element is in the protocol's vocabulary, and which states it is in.
// Spec: docs/protocol.md §4 (`type`, `state`). `data-chalkline-type` wins, then the ARIA role, then the tag.

const TYPES = new Set([
    "text", "heading", "input", "button", "link", "checkbox", "radio", "select", "switch", "tab", "image", "math",
    "code", "error", "alert", "dialog", "other",
]);

const BY_ROLE = {
    alert: "alert", alertdialog: "dialog", button: "button", checkbox: "checkbox", code: "code", combobox: "select",
    dialog: "dialog", heading: "heading", img: "image", link: "link", listbox: "select", math: "math",
    menuitem: "button", menuitemcheckbox: "checkbox", menuitemradio: "radio", radio: "radio", searchbox: "input",
    slider: "input", spinbutton: "input", switch: "switch", tab: "tab", textbox: "input",
};

const BY_TAG = {
    BUTTON: "button", CANVAS: "image", CODE: "code", DIALOG: "dialog", H1: "heading", H2: "heading", H3: "heading",
    H4: "heading", H5: "heading", H6: "heading", IMG: "image", MATH: "math", PRE: "code", SELECT: "select",
    SUMMARY: "button", TEXTAREA: "input", VIDEO: "image",
};

const BY_INPUT_TYPE = {
    button: "button", checkbox: "checkbox", image: "button", radio: "radio", reset: "button", submit: "button",
};

/** Elements that a person operates; a text that contains one is not a single text. */
export const INTERACTIVE =
    "a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=radio]," +
    "[role=switch],[role=tab],[role=textbox],[contenteditable],[data-chalkline-id],[data-chalkline-type]";

/**
 * The protocol type of an element, or null for a plain container.
 * @param {Element} element
 * @param {Set<string>} errorIds ids of the messages that invalid controls refer to
 */
export function elementType(element, errorIds) {
    const explicit = element.getAttribute("data-chalkline-type");
    if (explicit) return TYPES.has(explicit) ? explicit : "other";
    if (element.id && errorIds.has(element.id)) return "error";
    const role = element.getAttribute("role")?.trim().split(/\s+/)[0];
    if (role && BY_ROLE[role]) return BY_ROLE[role];
    const tag = element.tagName.toUpperCase();
    if (tag === "A") return element.hasAttribute("href") ? "link" : null;
    if (tag === "INPUT") return BY_INPUT_TYPE[element.type] ?? "input";
    if (isEditable(element)) return "input";
    return BY_TAG[tag] ?? null;
}

/** Whether an element is the root of text that a person can edit in place. */
export function isEditable(element) {
    const value = element.getAttribute("contenteditable");
    return value !== null && value !== "false";
}

/** Ids of the messages that stand for a refused value, so that they are typed `error` without any marking. */
export function errorMessageIds(root) {
    const ids = new Set();
    for (const control of root.querySelectorAll('[aria-invalid]:not([aria-invalid="false"])')) {
        for (const name of ["aria-errormessage", "aria-describedby"]) {
            for (const id of control.getAttribute(name)?.split(/\s+/) ?? []) if (id) ids.add(id);
        }
    }
    return ids;
}

/** The states of an element, in the protocol's order; undefined when there are none. */
export function elementStates(element) {
    const aria = (name) => element.getAttribute(`aria-${name}`);
    const states = [];
    if (("disabled" in element && element.matches(":disabled")) || aria("disabled") === "true") states.push("disabled");
    const isTick = element.type === "checkbox" || element.type === "radio";
    if ((isTick && element.checked) || aria("checked") === "true") states.push("checked");
    if (element === element.ownerDocument.activeElement) states.push("focused");
    if (aria("selected") === "true") states.push("selected");
    const isOpenSummary = element.tagName === "SUMMARY" && element.parentElement?.open === true;
    if (aria("expanded") === "true" || isOpenSummary) states.push("expanded");
    if (aria("invalid") && aria("invalid") !== "false") states.push("invalid");
    return states.length > 0 ? states : undefined;
}

/** Whether what is typed into a control is a secret. Such controls are not even mentioned to the server. */
export function isSecure(element) {
    if (element.type === "password") return true;
    return /password|one-time-code|cc-(number|csc|exp)/.test(element.getAttribute("autocomplete") ?? "");
}

/** Whether what is typed into a control is personal: the server learns that it is filled in, not with what. */
export function isPersonal(element) {
    if (element.tagName !== "INPUT") return false;
    return /^(tel|email)$/.test(element.type) || /\b(tel|email)\b/.test(element.getAttribute("autocomplete") ?? "");
}
