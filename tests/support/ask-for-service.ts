/** Asks for a service that the test files of a run share, as `shared-services.ts` starts them. */
import { inject, type TestContext } from "vitest";
import { skipFor } from "./needs.ts";
import type { SharedAnswer } from "./shared-services.ts";

/** Skips the test with the reason if the service cannot be had; throws it if no test is given. */
export async function askForService<T>(path: string, test?: Pick<TestContext, "skip">): Promise<T> {
  const answered = await fetch(`${inject("sharedServices")}/${path}`, {
    // An idle connection may be closed at the moment of the next question.
    headers: { connection: "close" },
  });
  const answer = (await answered.json()) as SharedAnswer<T>;
  if (answer.isThere) return answer.value;
  if (test === undefined) throw new Error(answer.reason);
  return skipFor(answer.reason, test);
}
