/**
 * The `console` blocks of a document: commands behind `$ `, each followed by the output a reader should see. In an
 * expected output `…` stands for any text, hex digits before it for any hex digits, and a time for any time.
 */
export interface ConsoleCommand {
  readonly line: number;
  readonly command: string;
  readonly output: string;
}

export function parseConsoleBlocks(markdown: string): readonly ConsoleCommand[] {
  const commands: { line: number; command: string; output: string }[] = [];
  let isInside = false;
  for (const [index, line] of markdown.split("\n").entries()) {
    const last = commands.at(-1);
    if (line.startsWith("```")) isInside = line === "```console";
    else if (!isInside) continue;
    else if (line.startsWith("$ ")) commands.push({ line: index + 1, command: line.slice(2), output: "" });
    else if (last?.command.endsWith("\\") === true && last.output === "") last.command += `\n${line}`;
    else if (last !== undefined) last.output += last.output === "" ? line : `\n${line}`;
  }
  return commands;
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/;
const VOLATILE = new RegExp(`${TIME.source}|[0-9a-f]{6,}…|…`, "g");

/** True if the output is the expected one. */
export function matchesOutput(expected: string, actual: string): boolean {
  const fixed = expected.split(VOLATILE).map((part) => RegExp.escape(part));
  const wildcards = [...expected.matchAll(VOLATILE)].map(([found]) => {
    if (found === "…") return "[\\s\\S]*?";
    return found.endsWith("…") ? "[0-9a-f]+…?" : TIME.source;
  });
  const source = fixed.map((part, place) => part + (wildcards[place] ?? "")).join("");
  return new RegExp(`^${source}$`).test(actual.trimEnd());
}
