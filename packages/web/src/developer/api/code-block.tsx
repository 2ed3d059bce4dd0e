/** Code that scrolls within its frame, also by keyboard. */
export function CodeBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard.
    <section className="code" aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}
