/**
 * Contracts against their ids, which bind their content. The sum over all ids shows a contract that is missing, or one that
 * should be gone. Contracts come and go while the scrub walks through them: it keeps the sum of those behind it.
 */
import { type Contract, type ContractId, type Hash, isAuthentic, type Time } from "@callsign/ledger";
import { SCRUBBED_AT_ONCE } from "../limits/limits.ts";
import { CONTRACT_BODY, CONTRACT_PAYLOAD } from "../replica/payload-texts.ts";
import type { Replica } from "../replica/replica.ts";
import { addToSum, takeFromSum } from "../replica/row-check.ts";
import { differs, placeBehind, type ScrubPart } from "./scrub-part.ts";

export function scrubContracts(replica: Replica, hash: Hash): ScrubPart {
  const { state } = replica;
  const select = state.database.prepare(
    `select c.contract_id, ${CONTRACT_PAYLOAD} as payload, c.created_at, t.name ` +
      `from contract c left join ${CONTRACT_BODY} left join template t on t.id = c.template_id ` +
      "where c.contract_id > ? order by c.contract_id limit +?",
  );
  /** Null in a walk that began before this process, whose sum is not known. */
  let sum: number | null = null;
  let place = "";
  replica.onApplied((outcomes) => {
    if (sum === null) return;
    for (const { archived, created } of outcomes) {
      for (const { contractId } of archived) if (contractId <= place) sum = takeFromSum(sum, contractId);
      for (const { contract } of created)
        if (contract.contractId <= place) sum = addToSum(sum, contract.contractId);
    }
  });
  return {
    name: "contracts",
    store: "replica",
    check: (after) => {
      if (after === "") sum = 0;
      else if (after !== place) sum = null;
      state.flush();
      const rows = select.all(after, SCRUBBED_AT_ONCE).map((row): Contract => {
        return {
          contractId: row["contract_id"] as ContractId,
          templateId: row["name"] as string,
          payload: row["payload"] as string,
          createdAt: row["created_at"] as Time,
        };
      });
      for (const contract of rows) {
        if (contract.contractId <= after)
          throw differs(`contract ${contract.contractId} stands behind ${after}`);
        if (!isAuthentic(hash, contract))
          throw differs(`contract ${contract.contractId} is not what its id says`);
        if (sum !== null) sum = addToSum(sum, contract.contractId);
      }
      const next = placeBehind(rows, SCRUBBED_AT_ONCE, ({ contractId }) => contractId);
      if (next === null && sum !== null && sum !== state.contractSum)
        throw differs("the table of contracts lacks one, or has one too many");
      place = next ?? "";
      if (next === null) sum = null;
      return { after: next, rows: rows.length };
    },
  };
}
