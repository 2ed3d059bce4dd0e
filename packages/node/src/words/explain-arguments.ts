/** The sentence about a command line that Node's `parseArgs` has refused. */
import { suggestWord } from "./nearest-word.ts";

/** Node explains at length how an argument could begin with a hyphen: none of ours does. */
export function explainArguments(error: unknown, options: readonly string[]): string {
  const { message, code } = error as Error & { readonly code?: string };
  const given = /'(--?[^'=]*)/.exec(message)?.[1];
  if (code !== "ERR_PARSE_ARGS_UNKNOWN_OPTION" || given === undefined) return message.replace(/\n.*/s, "");
  return `There is no option ${given}${suggestWord(given.replace(/^-+/, ""), options, "--")}`;
}
