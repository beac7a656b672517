// dom: makes elements without markup, so that the page runs under a strict CSP with Trusted Types.
// Every module builds its nodes with these two functions; nothing in this folder ever parses HTML.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an HTML element.
 * @param {string} tag
 * @param {Object<string, any>} [properties] `class`, `text`, `on…` listeners, anything else becomes an attribute;
 *   `false`, `null` and `undefined` leave the attribute out, `true` sets it empty.
 * @param {...(Node|string|null)} children
 */
export function h(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (value === false || value === null || value === undefined) continue;
        if (name === "class") element.className = value;
        else if (name === "text") element.textContent = value;
        else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
}

/** Makes a 24 x 24 line icon from path data. It is decoration: the control around it carries the name. */
export function icon(...paths) {
    const svg = document.createElementNS(SVG, "svg");
    for (const [name, value] of [["viewBox", "0 0 24 24"], ["aria-hidden", "true"], ["class", "ck-icon"]]) {
        svg.setAttribute(name, value);
    }
    for (const data of paths) {
        const path = document.createElementNS(SVG, "path");
        path.setAttribute("d", data);
        svg.append(path);
    }
    return svg;
}

/** Sets text only where it differs, so that nothing is laid out again for nothing. */
export function setText(node, text) {
    if (node.textContent !== text) node.textContent = text;
}
