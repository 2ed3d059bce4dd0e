/** The steps of a command while it works, on the terminal of a person who watches; nobody else sees them. */
import { startInterval, type Timers } from "@callsign/node";
import type { Terminal } from "./terminal.ts";

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const FRAME_MILLISECONDS = 100;
const CLEAR_LINE = "\r\u001B[2K";

export class Progress {
  readonly #terminal: Terminal;
  readonly #timers: Timers;
  #step: (() => string) | null = null;
  #stop: () => void = () => undefined;
  #advice = "";

  constructor(terminal: Terminal, timers: Timers) {
    this.#terminal = terminal;
    this.#timers = timers;
  }

  /** The step before is done. A step whose text changes gives a function. */
  begin(step: string | (() => string)): void {
    this.done();
    if (this.#terminal.isWatched !== true) return;
    this.#step = typeof step === "string" ? () => step : step;
    let frame = 0;
    const draw = () => {
      const mark = FRAMES[frame++ % FRAMES.length];
      this.#terminal.complain(`${CLEAR_LINE}${mark} ${this.#step?.()}`);
    };
    draw();
    this.#stop = startInterval(draw, FRAME_MILLISECONDS, this.#timers);
  }

  /** The step is done. */
  done(): void {
    this.#end("✓");
  }

  /** The step failed. */
  fail(): void {
    this.#end("✗");
  }

  /** Ctrl-C leaves its mark on the screen: the shell's prompt begins a line of its own. */
  interrupt(): void {
    if (this.#terminal.isWatched === true && this.#step === null) this.#terminal.complain("\n");
    this.fail();
    if (this.#advice !== "") this.#terminal.complain(`${this.#advice}\n`);
  }

  /** Told if Ctrl-C ends the command from now on: what goes on without it, and how to see it. */
  adviseOnInterrupt(advice: string): void {
    this.#advice = advice;
  }

  /** Takes the line away: other lines follow. */
  clear(): void {
    this.#stop();
    if (this.#step !== null) this.#terminal.complain(CLEAR_LINE);
    this.#step = null;
    this.#stop = () => undefined;
  }

  #end(mark: string): void {
    this.#stop();
    if (this.#step !== null) this.#terminal.complain(`${CLEAR_LINE}${mark} ${this.#step()}\n`);
    this.#step = null;
    this.#stop = () => undefined;
  }
}
