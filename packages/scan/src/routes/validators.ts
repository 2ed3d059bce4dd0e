/** The liveness of validators, as their licences have it. */
import { ValidatorLicense } from "@callsign/ledger";
import { byRoundsCollected, countRounds } from "../contracts/received-faucets.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

export function validatorRoutes(index: () => ScanIndex) {
  const licenses = () => index().contracts.list(ValidatorLicense);
  return {
    getValidatorFaucetsByValidator: ({ query: { validator_ids } }) => {
      const wanted = new Set<string>(validator_ids);
      const found = licenses().filter(({ payload }) => wanted.has(payload.validator));
      return { validatorsReceivedFaucets: found.map(({ payload }) => countRounds(payload)) };
    },
    getTopValidatorsByValidatorFaucets: ({ query: { limit } }) => ({
      validatorsByReceivedFaucets: licenses()
        .map(({ payload }) => countRounds(payload))
        .sort(byRoundsCollected)
        .slice(0, limit),
    }),
  } satisfies ScanHandlers;
}
