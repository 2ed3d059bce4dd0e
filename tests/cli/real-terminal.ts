/** A shell in a real terminal, that of tmux: what a person at the keyboard sees, colours included. */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { until } from "../../packages/node/testing/until.ts";

export class RealTerminal {
  readonly #socket = `callsign-${randomUUID()}`;
  #runs = 0;

  /** `setUp` runs in the shell before anything else. */
  static async open(setUp: string, columns = 200): Promise<RealTerminal> {
    const terminal = new RealTerminal();
    const shell = "env -u NO_COLOR -u CI TERM=xterm-256color bash --noprofile --norc";
    terminal.#tmux("-f", "/dev/null", "new-session", "-d", "-x", String(columns), "-y", "120", shell);
    // Typed ahead, the question for the code would be read by the command.
    await terminal.run(`PS1='> '; PROMPT_COMMAND='echo "end-$((++ends))=$?"'; ${setUp}`);
    return terminal;
  }

  /** Resolves when the command has ended, with the lines that the screen shows. */
  async run(command: string): Promise<{ readonly code: number; readonly screen: string }> {
    await this.begin(command);
    return this.ended();
  }

  /** Types the command into an empty screen. */
  async begin(command: string): Promise<void> {
    this.#runs++;
    this.#tmux("send-keys", "-l", `clear; ${command}\n`);
  }

  async ended(): Promise<{ readonly code: number; readonly screen: string }> {
    const end = new RegExp(`^end-${this.#runs}=(\\d+)$`, "m");
    await until(
      () => end.test(this.screen()),
      `the command ends; the screen shows:\n${this.screen()}`,
      90_000,
    );
    const screen = this.screen();
    const code = Number(end.exec(screen)?.[1]);
    return { code, screen: screen.replace(new RegExp(`^.*end-${this.#runs}=.*\n?`, "gm"), "") };
  }

  /** Resolves once the screen shows it. */
  async shows(text: RegExp): Promise<void> {
    await until(() => text.test(this.screen()), `the screen shows ${text}, not:\n${this.screen()}`, 90_000);
  }

  press(...keys: readonly string[]): void {
    this.#tmux("send-keys", ...keys);
  }

  screen(): string {
    return this.#tmux("capture-pane", "-p", "-J").replace(/[ \n]+$/, "\n");
  }

  /** With the escapes of colours. */
  colours(): string {
    return this.#tmux("capture-pane", "-p", "-e", "-J");
  }

  close(): void {
    this.#tmux("kill-server");
  }

  #tmux(...args: readonly string[]): string {
    return execFileSync("tmux", ["-L", this.#socket, ...args], { encoding: "utf8" });
  }
}
