/**
 * Rows of the contracts that items of the stream create and archive. They are collected, and written together: a transaction
 * often creates and archives several.
 */
import type { StreamEvent } from "@callsign/api";
import { insertInto, placesFrom, type Sql, type SqlValues, shortLists } from "@callsign/node";
import { contractNumber, NEVER } from "./contract-number.ts";
import { idPartOf, packContractTexts, readContractTexts, TEXT_COLUMNS } from "./packed-contract.ts";
import type { RowMemory } from "./row-memory.ts";

export type CreatedEvent = Extract<StreamEvent, { kind: "created" }>;

interface Archival {
  readonly contractId: string;
  readonly offset: number;
  readonly nodeId: number;
}

interface Creation {
  readonly event: CreatedEvent;
  readonly offset: number;
  archived: Archival | null;
}

const insertContracts = insertInto(
  "contract",
  "contract_number, id_part, template_number, created_at, activated, archived_offset, archived_node, packed",
);
const insertStakeholders = insertInto(
  "stakeholder",
  "party_number, template_number, archived_offset, contract_number",
);

export class ContractRows {
  readonly #memory: RowMemory;
  /** By contract id. */
  readonly #created = new Map<string, Creation>();
  /** Archivals of contracts from before. */
  readonly #archived: Archival[] = [];

  constructor(memory: RowMemory) {
    this.#memory = memory;
  }

  /**
   * Call for a contract of which a hosted party is a stakeholder, or which a hosted party saw created and archived in one
   * transaction. Other witnessed contracts can be neither used nor looked up.
   */
  create(offset: number, event: CreatedEvent): void {
    this.#created.set(event.contractId, { event, offset, archived: null });
  }

  archive(offset: number, { contractId, nodeId }: Pick<StreamEvent, "contractId" | "nodeId">): void {
    const archival = { contractId, offset, nodeId };
    const created = this.#created.get(contractId);
    if (created === undefined) this.#archived.push(archival);
    else created.archived ??= archival;
  }

  async write(sql: Sql): Promise<void> {
    await this.#writeCreated(sql);
    for (const [offset, archivals] of Map.groupBy(this.#archived, (each) => each.offset))
      for (const some of shortLists(archivals)) await this.#writeArchived(sql, offset, some);
  }

  async #writeCreated(sql: Sql): Promise<void> {
    if (this.#created.size === 0) return;
    const { names } = this.#memory;
    const texts = await this.#memory.contracts.loadToPack(sql);
    const contracts: SqlValues[] = [];
    const rows: SqlValues[] = [];
    for (const { event, offset, archived } of this.#created.values()) {
      const { signatories, observers, witnesses } = event;
      const stakeholders = [...signatories, ...observers].filter((party) => witnesses.includes(party));
      const number = contractNumber(offset, event.nodeId);
      const template = await names.give(sql, event.templateId);
      const archivedOffset = archived?.offset ?? NEVER;
      contracts.push([
        ...[number, idPartOf(event.contractId), template, BigInt(event.createdAt)],
        ...[event.acsDelta ? 1n : 0n, archivedOffset, archived?.nodeId ?? null],
        packContractTexts({ ...event, stakeholders }, event.templateId, texts),
      ]);
      if (!event.acsDelta) continue;
      for (const party of stakeholders)
        rows.push([await names.give(sql, party), template, archivedOffset, number]);
    }
    await texts.save(sql);
    await insertContracts(sql, contracts);
    await insertStakeholders(sql, rows);
  }

  async #writeArchived(sql: Sql, offset: number, archivals: readonly Archival[]): Promise<void> {
    const nodes = new Map(archivals.map(({ contractId, nodeId }) => [contractId, nodeId]));
    const parts = archivals.map(({ contractId }) => idPartOf(contractId));
    const rows = await sql.all(
      `select contract_number, activated, ${TEXT_COLUMNS} from contract
        where archived_offset = $1 and id_part in (${placesFrom(2, parts)})`,
      ...[NEVER, ...parts],
    );
    const texts = await this.#memory.contracts.load(sql);
    const archived: SqlValues[] = [];
    const numbers = new Map<string, bigint[]>();
    for (const row of rows) {
      const { contractId, stakeholders } = readContractTexts(row, texts);
      const nodeId = nodes.get(contractId);
      if (nodeId === undefined) continue;
      const number = row["contract_number"] as bigint;
      archived.push([number, nodeId]);
      if (row["activated"] === 0n) continue;
      for (const party of stakeholders) numbers.set(party, [...(numbers.get(party) ?? []), number]);
    }
    for (const some of shortLists(archived))
      await sql.run(archiveStatement(some.length), offset, ...some.flat());
    for (const [party, ofParty] of numbers) {
      await sql.run(
        `update stakeholder set archived_offset = $1
          where party_number = $2 and archived_offset = $3 and contract_number in (${placesFrom(4, ofParty)})`,
        ...[offset, await this.#memory.names.give(sql, party), NEVER, ...ofParty],
      );
    }
  }
}

/** Behind `$1` come the numbers of contracts, each with the node that archives it. */
function archiveStatement(contracts: number): string {
  const numbers = Array.from({ length: contracts }, (_, index) => `$${2 + 2 * index}`);
  const nodes = numbers.map((number, index) => `when ${number} then cast($${3 + 2 * index} as bigint)`);
  return `update contract set archived_offset = $1, archived_node = case contract_number ${nodes.join(" ")} end
    where contract_number in (${numbers.join(", ")})`;
}
