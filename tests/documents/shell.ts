/** One bash process in which commands run one after the other, as in a reader's terminal. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";

export class Shell {
  readonly #bash: ChildProcessWithoutNullStreams;
  #output = "";
  #onOutput: () => void = () => undefined;

  constructor(folder: string) {
    this.#bash = spawn("bash", ["--noprofile", "--norc"], { cwd: folder });
    this.#bash.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.#output += text;
      this.#onOutput();
    });
    // In one stream, what is written comes in order.
    this.#bash.stdin.write("exec 2>&1\n");
  }

  /** The command's output, both streams. */
  run(command: string): Promise<string> {
    const end = randomUUID();
    this.#output = "";
    return new Promise((resolve, reject) => {
      this.#bash.once("exit", () => reject(new Error(`bash ended during: ${command}`)));
      this.#onOutput = () => {
        if (!this.#output.endsWith(`${end}\n`)) return;
        this.#bash.removeAllListeners("exit");
        resolve(this.#output.slice(0, -end.length - 1));
      };
      this.#bash.stdin.write(`${command}\nprintf '%s\\n' ${end}\n`);
    });
  }

  close(): void {
    this.#bash.stdin.end();
  }
}
