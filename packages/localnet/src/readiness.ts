/** Which of the network's endpoints answer, and when all of them do. */
import type { SvNode } from "@callsign/sv";
import type { Validator } from "@callsign/validator";

export interface NamedEndpoint {
  readonly name: string;
  /** With the API's prefix. */
  readonly url: string;
}

const TIMEOUT_MILLISECONDS = 2000;
const LOOK_MILLISECONDS = 5;

/** The names of those that do not say 200. */
export async function listSilent(
  endpoints: readonly NamedEndpoint[],
  path: "/readyz" | "/livez",
): Promise<readonly string[]> {
  const answers = await Promise.all(
    endpoints.map(async ({ name, url }) => ((await answers200(url + path)) ? [] : [name])),
  );
  return answers.flat();
}

async function answers200(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}

/** Why the network does not come up, for the person who started it. */
export class CannotStart extends Error {
  override readonly name = "CannotStart";
}

export interface Starting {
  readonly svs: readonly SvNode[];
  readonly validators: readonly Validator[];
}

/** Rejects once it is clear that it will not be so, or too late. */
export async function waitUntilReady(
  endpoints: readonly NamedEndpoint[],
  { svs, validators }: Starting,
  milliseconds: number,
): Promise<void> {
  const deadline = performance.now() + milliseconds;
  let waiting = endpoints;
  for (;;) {
    const isLate = performance.now() > deadline;
    // Validators come last. Asking everybody over and over meanwhile would keep them from it.
    if (isLate || validators.every((validator) => validator.isReady())) {
      const silent = new Set(await listSilent(waiting, "/readyz"));
      if (silent.size === 0) return;
      waiting = waiting.filter(({ name }) => silent.has(name));
      if (isLate) {
        throw new CannotStart(
          `after ${milliseconds / 1000} seconds these do not answer: ${[...silent].join(", ")}`,
        );
      }
    }
    for (const sv of svs) {
      const failure = sv.failure();
      if (failure !== null)
        throw new CannotStart(`${sv.identity.nodeIdentifier} stopped: ${failure.message}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
  }
}
