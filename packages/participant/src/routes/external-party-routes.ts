/** External parties, whose keys are kept elsewhere, are not offered. */
import type { ledgerApi } from "@callsign/api";
import type { Handlers } from "@callsign/node";
import type { LedgerCaller } from "../access/caller.ts";
import { notOffered } from "../requests/not-offered.ts";

type Routes = Pick<
  Handlers<typeof ledgerApi.endpoints, LedgerCaller>,
  "allocateExternalParty" | "generateExternalPartyTopology"
>;

export function externalPartyRoutes(): Routes {
  const refuse = () => {
    throw notOffered(
      "parties with keys of their own",
      "allocate a party that the participant keeps, with POST /v2/parties",
    );
  };
  return { allocateExternalParty: refuse, generateExternalPartyTopology: refuse };
}
