/** Programs that some tests need and `npm ci` cannot install. */
import type { TestContext } from "vitest";

export interface Need {
  readonly name: string;
  readonly isPresent: () => boolean;
  /** The command by which root installs it. */
  readonly install: string;
}

/**
 * Skips the test if the program is missing, with the reason that the runner prints. Under `CI=true` the test
 * fails instead: whoever runs CI is root and can install it.
 */
export function skipWithout({ name, isPresent, install }: Need, { skip }: Pick<TestContext, "skip">): void {
  if (!isPresent()) skipFor(`${name} is missing. Try: ${install}`, { skip });
}

/** Skips the test for a reason; under `CI=true` it fails. */
export function skipFor(reason: string, { skip }: Pick<TestContext, "skip">): never {
  if (process.env["CI"] === "true") throw new Error(reason);
  return skip(reason);
}
