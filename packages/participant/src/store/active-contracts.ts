/**
 * Contracts that were active at an offset, page by page in the order of their creation. Each selection (a party or any, a
 * template or every one) is a walk along one index: first contracts that are still active, then the few archived since.
 * The cost follows the contracts returned, not the contracts stored.
 */
import { checkNotPruned } from "./check-not-pruned.ts";
import { lastNumberAt, NEVER, OFFSET_OF_NUMBER } from "./contract-number.ts";
import { CONTRACT_COLUMNS, CONTRACT_SOURCE, type LedgerStore, type StoredContract } from "./ledger-store.ts";

export interface ContractSelection {
  /** Null for any party. */
  readonly party: string | null;
  /** Null for every template. */
  readonly templateId: string | null;
}

export interface PageOfActive {
  readonly selections: readonly ContractSelection[];
  readonly activeAt: number;
  /** Contracts with a higher number only. */
  readonly after: bigint;
  readonly limit: number;
}

const SELECT_ACTIVE = `select ${CONTRACT_COLUMNS},
  (select workflow_id from stream_item where ledger_offset = ${OFFSET_OF_NUMBER}) as workflow_id from ${CONTRACT_SOURCE}`;

export interface StoredActive extends StoredContract {
  /** The workflow of the creating submission; empty once that is pruned. */
  readonly workflowId: string;
}

export async function listActiveContracts(
  ledger: LedgerStore,
  page: PageOfActive,
): Promise<readonly StoredActive[]> {
  const numbers = new Set<bigint>();
  for (const selection of page.selections) {
    for (const number of await listNumbers(ledger, selection, page)) numbers.add(number);
  }
  const first = [...numbers].sort((a, b) => (a < b ? -1 : 1)).slice(0, page.limit);
  const contracts: StoredActive[] = [];
  for (const number of first) {
    const row = await ledger.sql.get(`${SELECT_ACTIVE} where contract_number = $1`, number);
    if (row === undefined) continue;
    const workflowId = (row["workflow_id"] as string | null) ?? "";
    for (const contract of await ledger.readContracts([row])) contracts.push({ ...contract, workflowId });
  }
  checkNotPruned(ledger, page.activeAt);
  return contracts;
}

async function listNumbers(
  { sql, memory: { names } }: LedgerStore,
  selection: ContractSelection,
  { activeAt, after, limit }: PageOfActive,
): Promise<readonly bigint[]> {
  const party = selection.party === null ? null : await names.find(sql, selection.party);
  const template = selection.templateId === null ? null : await names.find(sql, selection.templateId);
  // A name without a number is in no row.
  if (party === undefined || template === undefined) return [];
  const walk = async (archived: string, ...parameters: bigint[]): Promise<readonly bigint[]> => {
    const given = [after, lastNumberAt(activeAt), BigInt(limit), ...parameters];
    let from = party === null ? "contract where activated = 1" : "stakeholder where true";
    if (party !== null) from += ` and party_number = $${given.push(party)}`;
    if (template !== null) from += ` and template_number = $${given.push(template)}`;
    const rows = await sql.all(
      `select contract_number from ${from} and ${archived}
        and contract_number > $1 and contract_number <= $2 order by contract_number limit $3`,
      ...given,
    );
    return rows.map((row) => row["contract_number"] as bigint);
  };
  const still = await walk("archived_offset = $4", NEVER);
  const since = await walk("archived_offset < $4 and archived_offset > $5", NEVER, BigInt(activeAt));
  return [...still, ...since];
}
