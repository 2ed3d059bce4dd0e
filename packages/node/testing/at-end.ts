import { afterAll } from "vitest";

/** Registers work for the end of a test (`onTestFinished`) or of a file (`atEndOfFile`). */
export type AtEnd = (close: () => void | Promise<void>) => void;

/** Call it at the top of a file. Closes after the last test, in the opposite order. */
export function atEndOfFile(): AtEnd {
  const closing: (() => void | Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  return (close) => closing.push(close);
}
