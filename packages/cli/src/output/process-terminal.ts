/** The terminal of this process. */
import { createInterface } from "node:readline/promises";
import type { Terminal } from "./terminal.ts";

/** NO_COLOR (https://no-color.org) and TERM=dumb are respected. */
export function openProcessTerminal({ stdin, stdout, stderr, env }: NodeJS.Process): Terminal {
  // A reader such as `head` may go before everything is written.
  for (const stream of [stdout, stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(0);
      throw error;
    });
  }
  const isPlain = env["TERM"] === "dumb";
  const askPerson = async (question: string): Promise<string | null> => {
    const lines = createInterface({ input: stdin, output: stderr });
    try {
      const ended = new Promise<null>((resolve) => lines.once("close", () => resolve(null)));
      lines.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
      return await Promise.race([lines.question(question), ended]);
    } finally {
      lines.close();
    }
  };
  return {
    write: (text) => stdout.write(text),
    complain: (text) => stderr.write(text),
    isRead: stdout.isTTY === true,
    isWatched: stderr.isTTY === true && !isPlain,
    hasColour: stdout.isTTY === true && !isPlain && (env["NO_COLOR"] ?? "") === "",
    ...(stdin.isTTY === true && stderr.isTTY === true ? { ask: askPerson } : {}),
  };
}
