/** Scripts that run inside pages, as text: the tests themselves have no DOM. */

/** Reports violations of the Content-Security-Policy on the console. */
export const watchViolations = `addEventListener("securitypolicyviolation", (event) => {
  console.error("violates the Content-Security-Policy: " + event.violatedDirective + " " + event.blockedURI);
});`;

/** Pixels by which the page is wider than its window. */
export const horizontalOverflow = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  return Math.max(0, scrollWidth - clientWidth);
})()`;

/** Pixels by which tables are wider than their frames: so much of a row, such as its buttons, is out of view. */
export const tableOverflow = `Math.max(0, ...[...document.querySelectorAll(".table-frame")]
  .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))`;

/** Everything that the page keeps in storage that scripts can read. */
export const storedText = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])";

/** Gives each control that Tab should reach a number, and answers them: [number, description]. */
export const numberControls = `(() => {
  const all = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]");
  const isReachable = (each) => {
    if (each.tabIndex < 0 || each.disabled || each.inert || each.closest("[inert]")) return false;
    // Of a group of radio buttons, Tab reaches the chosen one.
    if (each.type === "radio" && !each.checked) return false;
    return each.checkVisibility({ visibilityProperty: true });
  };
  return [...all].filter(isReachable).map((each, number) => {
    each.setAttribute("data-test-number", String(number));
    const name = each.getAttribute("aria-label") ?? each.textContent.trim().slice(0, 40);
    return [number, each.tagName.toLowerCase() + " " + (each.id || name || each.outerHTML.slice(0, 80))];
  });
})()`;

/** The number of the control that has the focus, and whether it shows that it has. */
export const focusedControl = `(() => {
  const focused = document.activeElement;
  const number = focused?.getAttribute("data-test-number") ?? null;
  if (number === null) return null;
  const isMarked = (each) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
    return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
  };
  // A hidden input shows its focus on the element around it.
  const around = [focused, focused.parentElement, focused.closest("label"), focused.parentElement?.parentElement];
  return { number: Number(number), isMarked: around.some((each) => each != null && isMarked(each)) };
})()`;

/** Notes in the page when the element came: questions from outside come up to half a second late. */
export const noteWhenThere = (element: string) => `(() => {
  const look = () => {
    if (document.querySelector(${JSON.stringify(element)}) === null) return;
    observer.disconnect();
    window.thereAfter ??= performance.now();
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true, attributes: true });
  look();
})();`;
