/** A child process that tells its progress in lines and can be killed at any of them. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export interface ChildEnd {
  /** The whole lines that it wrote. */
  readonly lines: readonly string[];
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly errors: string;
}

/** Runs a script of `children/` to its end, or kills it (-9) once it has written so many lines. */
export async function runChild(
  script: string,
  args: readonly string[],
  killAfterLines: number = Number.POSITIVE_INFINITY,
): Promise<ChildEnd> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "children", script), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let lines: readonly string[] = [];
  let unfinished = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = `${unfinished}${chunk}`.split("\n");
    unfinished = parts.pop() ?? "";
    lines = [...lines, ...parts];
    if (lines.length >= killAfterLines) child.kill("SIGKILL");
  });
  const ended = new Promise<Pick<ChildEnd, "code" | "signal">>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  const errors = await text(child.stderr);
  const { code, signal } = await ended;
  return { lines, code, signal, errors };
}
