import { beforeAll, beforeEach, type TestContext } from "vitest";

class Skipped extends Error {}

/** `beforeAll` whose set-up may skip: then every test of the file is skipped, for the reason of the set-up. */
export function beforeAllOrSkip(
  setUp: (test: Pick<TestContext, "skip">) => Promise<void>,
  timeoutMilliseconds: number,
): void {
  let missing: string | null = null;
  beforeAll(async () => {
    const skip = (reason: unknown): never => {
      throw new Skipped(String(reason));
    };
    try {
      await setUp({ skip });
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
      missing = error.message;
    }
  }, timeoutMilliseconds);
  beforeEach(({ skip }) => {
    if (missing !== null) skip(missing);
  });
}
