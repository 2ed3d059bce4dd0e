/** The terms of a founding: those of a configuration's `network` keys, as the ledger takes them. */
import { CannotStart, type Host } from "@callsign/node";
import { type FoundingDraft, findDraftProblem } from "@callsign/sv";
import type { SvSetup } from "../settings/setups.ts";

/** All but the words of Splice, which SVs choose for themselves. */
export function networkTermsOf({ network }: Pick<SvSetup, "network">) {
  const { spliceInstanceNames: _, ...terms } = network;
  return terms;
}

export function checkLedgerTakes(draft: FoundingDraft, host: Host): void {
  const problem = findDraftProblem(draft, host);
  if (problem !== null) throw new CannotStart(`the ledger would refuse this draft: ${problem}`);
}
