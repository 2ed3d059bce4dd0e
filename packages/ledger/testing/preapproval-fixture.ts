/** Bob preapproves transfers for a day, and the validator is the provider. */
import type { ContractId } from "../src/values/contract-id.ts";
import { DAY } from "../src/values/duration.ts";
import type { PartyId } from "../src/values/party-id.ts";
import { WalletNetwork } from "./wallet-fixture.ts";

export function preapproved() {
  const network = new WalletNetwork();
  const expiresAt = network.later(DAY);
  const preapprovalCid = network.grantPreapproval(expiresAt);
  /** As the sender sees it: with the preapproval disclosed, as scan does. */
  const asSender = (sender: PartyId, ...more: readonly ContractId[]) => ({
    actAs: [sender],
    disclose: [...network.disclosures(), preapprovalCid, ...more],
  });
  return { network, sandbox: network.sandbox, dso: network.dso, preapprovalCid, expiresAt, asSender };
}

export type Preapproved = ReturnType<typeof preapproved>;
