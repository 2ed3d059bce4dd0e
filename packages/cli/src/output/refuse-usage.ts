/** The answer to wrong usage: the problem, then the usage. */
import { endSentence } from "../values/finding.ts";
import { EXIT } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/** Returns the exit code. `problem` is a sentence without its full stop; none for a command line without a word. */
export function refuseUsage(problem: string | null, usage: string, { complain }: Terminal): number {
  const sentence = problem === null ? "" : `${endSentence(problem)}\n`;
  complain(`${sentence}${usage}`);
  return EXIT.usage;
}
