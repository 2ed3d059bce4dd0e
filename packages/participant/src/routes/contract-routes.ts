/** One contract by its id, for its stakeholders. */
import { formatCreated, listStakeholders } from "../events/format-events.ts";
import { failWith, needContractId, needParty } from "../requests/identifiers.ts";
import type { LedgerApiParts, LedgerHandlers } from "./route-parts.ts";

export function contractRoutes({ ledger, catalogue }: Pick<LedgerApiParts, "ledger" | "catalogue">) {
  return {
    getContract: async ({ body }) => {
      const contractId = needContractId(body.contractId);
      const parties = new Set(body.queryingParties.map(needParty));
      const stored = (await ledger.findContract(contractId)) ?? notFound(contractId);
      const stakeholders = listStakeholders(stored);
      const witnesses =
        parties.size === 0 ? stakeholders : stakeholders.filter((party) => parties.has(party));
      if (witnesses.length === 0) return notFound(contractId);
      const extras = { blob: true, views: new Set<string>() };
      // As in Canton, whose answer does not tell the offset and node: it has offset 1, since 0 is no offset.
      const facts = { ...stored, offset: 1, nodeId: 0, witnesses, acsDelta: false };
      return { createdEvent: formatCreated(catalogue, facts, extras) };
    },
  } satisfies Partial<LedgerHandlers>;
}

function notFound(contractId: string): never {
  return failWith("CONTRACT_PAYLOAD_NOT_FOUND", "Contract payload not found, or not visible.", {
    resources: [["CONTRACT_ID", contractId]],
  });
}
