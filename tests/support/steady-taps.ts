import { HttpError } from "../../packages/api/src/index.ts";
import { until } from "../../packages/node/testing/until.ts";
import type { ValidatorClient } from "./network-clients.ts";

/** Taps one dollar after the other until it is stopped; each is asked for until it is acknowledged. Resolves with their number. */
export function tapSteadily(wallet: Pick<ValidatorClient, "tap">): { readonly stop: () => Promise<number> } {
  let isStopped = false;
  const tapOnce = (command_id: string) =>
    wallet.tap({ body: { amount: "1.0", command_id } }).then(
      () => true,
      // 409: it was done, and the answer was lost.
      (error: unknown) => error instanceof HttpError && error.status === 409,
    );
  const working = (async () => {
    let done = 0;
    for (; !isStopped; done++) await until(() => tapOnce(`load-${done}`), `tap ${done} is done`, 300_000);
    return done;
  })();
  return {
    stop: () => {
      isStopped = true;
      return working;
    },
  };
}
