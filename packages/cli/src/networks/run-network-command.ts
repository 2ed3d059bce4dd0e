/** Runs a command that speaks to a network: its options, its output, its end by Ctrl-C, its failures. */
import { untilAborted } from "@callsign/node";
import { AnswerPrinter } from "../output/answer-printer.ts";
import { EXIT } from "../output/exit-code.ts";
import { Progress } from "../output/progress.ts";
import type { Surroundings } from "../output/surroundings.ts";
import { type OwnOptions, parseOwnOptions } from "../settings/source-options.ts";
import { explainCall } from "./explain-call.ts";
import type { CommandCall, NetworkCommand } from "./network-command.ts";

/** A network that does not run is told within this time. */
const CONNECTION_MILLISECONDS = 5000;

export interface NamedCommand {
  readonly name: string;
  readonly command: NetworkCommand;
}

/** Resolves with the exit code. `misuse` tells wrong usage and gives its code. */
export async function runNetworkCommand(
  { name, command }: NamedCommand,
  given: readonly string[],
  around: Surroundings & Pick<CommandCall, "environment"> & { readonly misuse: (problem: string) => number },
): Promise<number> {
  const { misuse, ...surroundings } = around;
  const parsed = parseOwnOptions(given, command.options);
  if (!parsed.ok) return misuse(parsed.problem);
  const { words, own } = parsed;
  const problem = findWordProblem({ name, command }, words) ?? findOptionProblem({ name, command }, own);
  if (problem !== null) return misuse(problem);
  return runCall(command, { ...surroundings, words, own });
}

async function runCall(
  command: NetworkCommand,
  line: Pick<CommandCall, "words" | "own" | "environment"> & Surroundings,
): Promise<number> {
  const { terminal, host, own } = line;
  const interruption = new AbortController();
  const stopListening = line.onInterrupt?.(() => interruption.abort());
  const progress = new Progress(terminal, host.timers);
  const http = host.http.openClient({ connectionTimeoutMilliseconds: CONNECTION_MILLISECONDS });
  const isText = own["text"] === true || (own["json"] !== true && terminal.isRead === true);
  const { fetch } = http;
  const interrupted = interruption.signal;
  const printer = new AnswerPrinter(terminal, isText ? "text" : "json");
  try {
    const exitCode = await untilAborted(
      command.run({ ...line, printer, progress, fetch, interrupted }),
      interrupted,
    );
    progress.done();
    return exitCode;
  } catch (error) {
    if (interrupted.aborted) {
      progress.interrupt();
      return EXIT.interrupted;
    }
    progress.fail();
    const explained = explainCall(error);
    if (explained === null) throw error;
    terminal.complain(`${explained.text}\n`);
    return explained.exitCode;
  } finally {
    stopListening?.();
    http.close();
  }
}

function findWordProblem({ name, command }: NamedCommand, words: readonly string[]): string | null {
  const { words: [least, most] = [0, 0], form, choices = [] } = command;
  if (words.length < least) return `callsign ${name} needs ${form}`;
  if (words.length > most) return `callsign ${name} takes no argument ${words[most]}`;
  for (const [i, word] of words.entries()) {
    const allowed = choices[i] ?? [];
    if (allowed.length > 0 && !allowed.includes(word))
      return `callsign ${name} takes ${allowed.join(", ")}, not ${word}`;
  }
  return null;
}

function findOptionProblem({ name, command }: NamedCommand, own: OwnOptions): string | null {
  if (own["json"] === true && own["text"] === true) return "--json and --text exclude each other";
  for (const [option, { needed }] of Object.entries(command.options))
    if (needed !== undefined && own[option] === undefined)
      return `callsign ${name} needs --${option}: ${needed}`;
  return null;
}
