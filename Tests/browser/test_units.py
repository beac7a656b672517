"""Runs units.js (tests of the page's modules that need no server) in Debian's chromium.

Usage: python3 Tests/browser/test_units.py
Needs: PyPI playwright, /usr/bin/chromium. The files come straight from public/ and from this folder.
"""

import mimetypes
import sys
from pathlib import Path

from playwright.sync_api import Route, sync_playwright

HERE = Path(__file__).resolve().parent
ROOTS = [HERE, HERE.parents[1] / "public"]
ORIGIN = "http://units.test"
RUN = """async () => {
    const { tests } = await import("/units.js");
    const results = [];
    for (const [name, test] of Object.entries(tests)) {
        try { await test(); results.push([name, null]); } catch (error) { results.push([name, String(error.stack)]); }
    }
    return results;
}"""


def serve(route: Route) -> None:
    name = route.request.url.removeprefix(ORIGIN).split("?")[0].lstrip("/")
    for root in ROOTS:
        path = root / name
        if name and path.is_file():
            route.fulfill(body=path.read_bytes(), content_type=mimetypes.guess_type(name)[0] or "text/plain")
            return
    route.fulfill(status=404)


def run() -> list[tuple[str, str | None]]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        page = browser.new_page()
        page.route(f"{ORIGIN}/**", serve)
        page.goto(f"{ORIGIN}/units.html")
        results = page.evaluate(RUN)
        browser.close()
    return results


def test_units() -> None:
    failures = [f"{name}: {error}" for name, error in run() if error]
    assert not failures, "\n".join(failures)


if __name__ == "__main__":
    results = run()
    for name, error in results:
        print(f"{'FAIL' if error else 'ok  '} {name}" + (f"\n     {error}" if error else ""))
    failed = sum(1 for _, error in results if error)
    print(f"{len(results)} tests, {failed} failed")
    sys.exit(1 if failed or not results else 0)
