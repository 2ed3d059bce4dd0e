import type { AmuletAllocation, AmuletTransferInstruction, ContractId } from "@callsign/ledger";
import type { LedgerFacts } from "../ledger-facts.ts";

/** False if its owner has taken the coin out by hand, once the lock had run out. */
export function hasLockedCoin(
  facts: LedgerFacts,
  template: typeof AmuletTransferInstruction | typeof AmuletAllocation,
  contractId: ContractId,
): boolean {
  const found = facts.read(template, { contractId });
  return found !== null && facts.exists(found.payload.lockedAmulet);
}
