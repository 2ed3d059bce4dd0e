/** Prints answers: text for people, JSON for programs. */
import { styleText } from "node:util";
import type { Terminal } from "./terminal.ts";

export type Paint = (style: "bold" | "dim" | "green" | "red" | "yellow", text: string) => string;

/** For people by default if they read the output. */
export type AnswerFormat = "text" | "json";

export class AnswerPrinter {
  readonly format: AnswerFormat;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal, format: AnswerFormat) {
    this.#terminal = terminal;
    this.format = format;
  }

  readonly paint: Paint = (style, text) =>
    this.#terminal.hasColour === true ? styleText(style, text, { validateStream: false }) : text;

  /** The one answer of a command. `describe` makes whole lines. */
  print(answer: object, describe: (paint: Paint) => string): void {
    if (this.format === "json") this.#terminal.write(`${JSON.stringify(answer, null, 2)}\n`);
    else this.#terminal.write(describe(this.paint));
  }

  /** One of many answers, on a line of its own. */
  printLine(answer: object, describe: (paint: Paint) => string): void {
    if (this.format === "json") this.#terminal.write(`${JSON.stringify(answer)}\n`);
    else this.#terminal.write(describe(this.paint));
  }
}
