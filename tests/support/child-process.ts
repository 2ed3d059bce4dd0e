/** A script in a process of its own, which can be killed at any moment. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";

/** As scripts/setup.js starts them. */
const NODE_OPTIONS: readonly string[] = [
  "--disable-warning=ExperimentalWarning",
  `--import=${new URL("../../scripts/resolve-own-files.js", import.meta.url).href}`,
];

export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  /** The whole lines of its output. */
  readonly lines: readonly string[];
  readonly errors: string;
}

export class Child {
  readonly ended: Promise<ChildEnd>;
  readonly #process: ChildProcessByStdio<null, Readable, Readable>;
  #output = "";
  #errors = "";

  /** Runs on the Node of the tests unless another one is given. */
  constructor(
    program: string | { readonly node: string; readonly script: string },
    ...args: readonly string[]
  ) {
    const { node, script } =
      typeof program === "string" ? { node: process.execPath, script: program } : program;
    const words = [...NODE_OPTIONS, script, ...args];
    this.#process = spawn(node, words, { stdio: ["ignore", "pipe", "pipe"] });
    this.#process.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      this.#output += chunk;
    });
    this.#process.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      this.#errors += chunk;
    });
    this.ended = new Promise((resolve) => {
      this.#process.once("close", (code, signal) => {
        resolve({ code, signal, output: this.#output, lines: this.#lines, errors: this.#errors });
      });
    });
  }

  /** Its output once it has written so many whole lines; rejects if it ends before. */
  async said(lines = 1): Promise<string> {
    while (this.#lines.length < lines || !this.#output.endsWith("\n")) {
      const step = new Promise<null>((resolve) => this.#process.stdout.once("data", () => resolve(null)));
      const end = await Promise.race([step, this.ended]);
      if (end !== null) throw new Error(`ended with ${end.code}: ${end.errors}`);
    }
    return this.#output;
  }

  /** All that it has written to standard error. */
  get errors(): string {
    return this.#errors;
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Resolves when the process is gone. */
  stop(signal: NodeJS.Signals): Promise<ChildEnd> {
    this.signal(signal);
    return this.ended;
  }

  /** At once, without a chance to tidy up. */
  async kill(): Promise<void> {
    await this.stop("SIGKILL");
  }

  get #lines(): readonly string[] {
    return this.#output.split("\n").slice(0, -1);
  }
}

/** Runs a script until it has written so many lines, then kills it. */
export async function runAndKill(
  script: string,
  args: readonly string[],
  afterLines: number,
): Promise<ChildEnd> {
  const child = new Child(script, ...args);
  await child.said(afterLines);
  return child.stop("SIGKILL");
}
