/**
 * Rows of the contracts that items of the stream create and archive. They are collected, and written together: a transaction
 * often creates and archives several.
 */
import type { StreamEvent } from "@callsign/api";
import { insertInto, placesFrom, type Sql, type SqlValues, shortLists } from "@callsign/node";
import { contractNumber, NEVER } from "./contract-number.ts";
import type { NameNumbers } from "./name-numbers.ts";

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
  `contract_number, contract_id, template_number, created_at, payload, signatories, observers, stakeholders, activated,
    archived_offset, archived_node`,
);
const insertStakeholders = insertInto(
  "stakeholder",
  "party_number, template_number, archived_offset, contract_number",
);

export class ContractRows {
  readonly #names: NameNumbers;
  /** By contract id. */
  readonly #created = new Map<string, Creation>();
  /** Archivals of contracts from before. */
  readonly #archived: Archival[] = [];

  constructor(names: NameNumbers) {
    this.#names = names;
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
    const contracts: SqlValues[] = [];
    const stakeholders: SqlValues[] = [];
    for (const { event, offset, archived } of this.#created.values()) {
      const { signatories, observers, witnesses } = event;
      const hosted = [...signatories, ...observers].filter((party) => witnesses.includes(party));
      const number = contractNumber(offset, event.nodeId);
      const template = await this.#names.give(sql, event.templateId);
      const archivedOffset = archived?.offset ?? NEVER;
      contracts.push([
        ...[number, event.contractId, template, BigInt(event.createdAt), event.payload],
        ...[signatories, observers, hosted].map((parties) => JSON.stringify(parties)),
        ...[event.acsDelta ? 1n : 0n, archivedOffset, archived?.nodeId ?? null],
      ]);
      if (!event.acsDelta) continue;
      for (const party of hosted)
        stakeholders.push([await this.#names.give(sql, party), template, archivedOffset, number]);
    }
    await insertContracts(sql, contracts);
    await insertStakeholders(sql, stakeholders);
  }

  async #writeArchived(sql: Sql, offset: number, archivals: readonly Archival[]): Promise<void> {
    const rows = await sql.all(
      archiveStatement(archivals.length),
      ...[offset, NEVER],
      ...archivals.flatMap(({ contractId, nodeId }) => [contractId, nodeId]),
    );
    const numbers = new Map<string, bigint[]>();
    for (const { contract_number: number, stakeholders, activated } of rows) {
      if (activated === 0n) continue;
      for (const party of JSON.parse(stakeholders as string) as readonly string[])
        numbers.set(party, [...(numbers.get(party) ?? []), number as bigint]);
    }
    for (const [party, ofParty] of numbers) {
      await sql.run(
        `update stakeholder set archived_offset = $1
          where party_number = $2 and archived_offset = $3 and contract_number in (${placesFrom(4, ofParty)})`,
        ...[offset, await this.#names.give(sql, party), NEVER, ...ofParty],
      );
    }
  }
}

/** Behind `$1` and `$2` come contracts, each with the node that archives it. */
function archiveStatement(contracts: number): string {
  const ids = Array.from({ length: contracts }, (_, index) => `$${3 + 2 * index}`);
  const nodes = ids.map((id, index) => `when ${id} then cast($${4 + 2 * index} as bigint)`);
  return `update contract set archived_offset = $1, archived_node = case contract_id ${nodes.join(" ")} end
    where archived_offset = $2 and contract_id in (${ids.join(", ")})
    returning contract_number, stakeholders, activated`;
}
