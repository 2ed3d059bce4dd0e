/** A text of HOCON, read from its beginning to its end: characters, blanks, comments and strings. */
import { ConfigFault } from "../values/finding.ts";
import { MAX_CONFIG_NODES, MAX_HOCON_CHARACTERS } from "../values/limits.ts";

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ...[['"', '"'] as const, ["\\", "\\"] as const, ["/", "/"] as const, ["b", "\b"] as const],
  ...[["f", "\f"] as const, ["n", "\n"] as const, ["r", "\r"] as const, ["t", "\t"] as const],
]);
/** Characters that unquoted text cannot have. */
const RESERVED = /[$"{}[\]:=,+#`^?!@*&\\\s]/;

export class HoconReader {
  readonly variable: string;
  readonly #text: string;
  #at = 0;
  #line = 1;
  #nodes = 0;

  constructor(variable: string, text: string) {
    this.variable = variable;
    this.#text = text;
    if (text.length > MAX_HOCON_CHARACTERS)
      throw this.fault(`is longer than ${MAX_HOCON_CHARACTERS} characters`);
  }

  get line(): number {
    return this.#line;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  startsWith(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  /** The text that comes next. */
  ahead(count: number): string {
    return this.#text.slice(this.#at, this.#at + count);
  }

  /** The next character; empty at the end. */
  peek(): string {
    return this.#text[this.#at] ?? "";
  }

  /** Takes the text if it is next. */
  take(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.skip(text.length);
    return true;
  }

  skip(count: number): string {
    const taken = this.#text.slice(this.#at, this.#at + count);
    for (const char of taken) if (char === "\n") this.#line++;
    this.#at += count;
    return taken;
  }

  /** Takes blanks, but no new line and no comment. */
  skipBlanks(): string {
    let blanks = "";
    while (/^[^\S\n]$/.test(this.peek())) blanks += this.skip(1);
    return blanks;
  }

  /** Takes blanks, new lines and comments. */
  skipSpace(): void {
    for (;;) {
      if (/^\s$/.test(this.peek())) this.skip(1);
      else if (!this.skipComment()) return;
    }
  }

  skipComment(): boolean {
    if (!this.startsWith("#") && !this.startsWith("//")) return false;
    while (!this.isAtEnd && this.peek() !== "\n") this.skip(1);
    return true;
  }

  /** True before text without quotes. */
  isAtUnquoted(): boolean {
    return !this.isAtEnd && !RESERVED.test(this.peek()) && !this.startsWith("//");
  }

  /** `ends` are further characters that end it. */
  readUnquoted(ends = ""): string {
    let text = "";
    while (this.isAtUnquoted() && !ends.includes(this.peek())) text += this.skip(1);
    return text;
  }

  /** A string in quotes, or in three of them. */
  readQuoted(): string {
    if (this.take('"""')) {
      const end = this.#text.indexOf('"""', this.#at);
      if (end < 0) throw this.fault("has a string that begins with three quotes and does not end");
      let text = this.skip(end - this.#at);
      this.skip(3);
      // Further quotes belong to the string.
      while (this.take('"')) text += '"';
      return text;
    }
    this.skip(1);
    let text = "";
    for (;;) {
      const char = this.peek();
      if (char === "" || char === "\n") throw this.fault("has a quoted string that does not end on its line");
      this.skip(1);
      if (char === '"') return text;
      text += char === "\\" ? this.#readEscape() : char;
    }
  }

  #readEscape(): string {
    const char = this.skip(1);
    const simple = ESCAPES.get(char);
    if (simple !== undefined) return simple;
    const digits = char === "u" ? this.skip(4) : "";
    if (/^[0-9a-fA-F]{4}$/.test(digits)) return String.fromCharCode(Number.parseInt(digits, 16));
    throw this.fault("has a backslash in a quoted string that escapes nothing");
  }

  count(): void {
    this.#nodes++;
    if (this.#nodes > MAX_CONFIG_NODES) throw this.fault(`has more than ${MAX_CONFIG_NODES} values`);
  }

  /** The text may hold secrets, and is not shown. */
  fault(problem: string): ConfigFault {
    const origin = { kind: "variable", name: this.variable, line: this.#line } as const;
    const fix = 'Write HOCON such as some.path = "value"; quote values with special characters';
    return new ConfigFault({ key: this.variable, problem, fix, origin });
  }
}
