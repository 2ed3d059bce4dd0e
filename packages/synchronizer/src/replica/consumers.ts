/** Hands the consumers of a replica what they declared: each entry as it is applied, and the backfill of new kinds. */
import type { DatabaseSync } from "node:sqlite";
import { type Contract, type ContractId, networkCatalogue, type Outcome, type Time } from "@callsign/ledger";
import { inTransaction } from "@callsign/node";
import { BACKFILL_PART } from "../limits/limits.ts";
import { CheckedRows } from "./checked-rows.ts";
import { type CreatedContract, creationPlace, type ReplicaChange, type ReplicaConsumer } from "./consumer.ts";
import type { SqliteState } from "./sqlite-state.ts";

/** Places of one backfill stand below those of the backfills before it. */
const BACKFILL_PLACES = 2n ** 40n;

interface Told {
  readonly consumer: ReplicaConsumer;
  /** The templates whose contracts it wants. */
  readonly wanted: ReadonlySet<string>;
}

export class ReplicaConsumers {
  readonly #state: SqliteState;
  readonly #byEntry: readonly Told[];
  readonly #bySlice: readonly Told[];
  /** Entries that the state has taken in, and consumers that absorb by slice have not. */
  #waiting: Outcome[] = [];

  constructor(state: SqliteState, consumers: readonly ReplicaConsumer[]) {
    this.#state = state;
    for (const consumer of consumers) state.saveAlso(consumer);
    const told = consumers.map((consumer) => ({
      consumer,
      wanted: new Set(consumer.kinds.map(({ id }) => id)),
    }));
    this.#byEntry = told.filter(({ consumer }) => consumer.absorbsBySlice !== true);
    this.#bySlice = told.filter(({ consumer }) => consumer.absorbsBySlice === true);
    const lacking = consumers.flatMap((consumer) => {
      const kinds = listNewKinds(state.database, consumer);
      return kinds.length === 0 ? [] : [{ consumer, kinds }];
    });
    if (lacking.length === 0) return;
    inTransaction(state.database, () => {
      for (const { consumer, kinds } of lacking) this.#backfill(consumer, kinds);
      state.sums.save();
    });
  }

  absorb(outcome: Outcome): void {
    this.absorbNext(outcome);
    this.absorbWaiting();
  }

  /** One entry of a slice. Call `absorbWaiting` behind the last of them, before anybody else reads the state. */
  absorbNext(outcome: Outcome): void {
    if (outcome.changes.some(({ kind }) => kind === "network" || kind === "hosting")) this.absorbWaiting();
    this.#state.absorb(outcome);
    this.#tell(this.#byEntry, [outcome]);
    this.#waiting.push(outcome);
  }

  /** The number of entries for `absorbWaiting`. */
  get waiting(): number {
    return this.#waiting.length;
  }

  absorbWaiting(): void {
    const outcomes = this.#waiting;
    this.#waiting = [];
    this.#tell(this.#bySlice, outcomes);
  }

  #tell(told: readonly Told[], outcomes: readonly Outcome[]): void {
    for (const { consumer, wanted } of told)
      for (const outcome of outcomes) consumer.absorb(changeFor(outcome, wanted), this.#state);
  }

  reload(): void {
    this.#waiting = [];
    for (const { consumer } of [...this.#bySlice, ...this.#byEntry]) consumer.reload();
  }

  #backfill(consumer: ReplicaConsumer, kinds: readonly string[]): void {
    const { database } = this.#state;
    const active = listActive(database, kinds);
    const first = -BACKFILL_PLACES * countBackfills(database, consumer) - BigInt(active.length);
    const order = new Map(kinds.map((kind, i) => [kind, i]));
    // A consumer declares the kinds that other rows depend on first.
    const found = active
      .map((contract, i) => ({
        contract,
        place: first + BigInt(i),
        kind: order.get(contract.templateId) ?? 0,
      }))
      .sort((a, b) => a.kind - b.kind);
    const read = database.prepare("select payload from active_contract where contract_id = ?");
    for (let start = 0; start < found.length; start += BACKFILL_PART) {
      const created = found.slice(start, start + BACKFILL_PART).map(({ contract, place }) => {
        const payload = read.get(contract.contractId)?.["payload"] as string;
        return decodeAtRest({ ...contract, payload }, place);
      });
      consumer.absorb({ created, archived: [], outcome: null }, this.#state);
      consumer.save?.();
    }
    recordKinds(database, consumer.name, kinds);
  }
}

function changeFor(outcome: Outcome, wanted: ReadonlySet<string>): ReplicaChange {
  const created: CreatedContract[] = [];
  for (const { contract, value, signatories, nodeId } of outcome.created) {
    if (!wanted.has(contract.templateId)) continue;
    created.push({ contract, value, signatories, place: creationPlace(outcome.head.sequence, nodeId) });
  }
  return { created, archived: outcome.archived.filter(({ templateId }) => wanted.has(templateId)), outcome };
}

/** Says that the consumer's rows have these kinds already: for rows from before kinds were recorded. */
export function recordKinds(database: DatabaseSync, consumer: string, kinds: readonly string[]): void {
  const rows = new CheckedRows(database, "consumer_kind");
  const known = [...rows.list("where consumer = ?", consumer)];
  const backfill = Math.max(0, ...known.map((row) => Number(row["backfill"]))) + 1;
  const had = new Set(known.map((row) => row["template"]));
  for (const kind of new Set(kinds)) if (!had.has(kind)) rows.insert(consumer, kind, backfill);
}

function listNewKinds(database: DatabaseSync, { name, kinds }: ReplicaConsumer): readonly string[] {
  const rows = new CheckedRows(database, "consumer_kind").list("where consumer = ?", name);
  const known = new Set([...rows].map((row) => row["template"]));
  return kinds.map(({ id }) => id).filter((id) => !known.has(id));
}

function countBackfills(database: DatabaseSync, { name }: ReplicaConsumer): bigint {
  const select = database.prepare(
    "select count(distinct backfill) as backfills from consumer_kind where consumer = ?",
  );
  return select.get(name)?.["backfills"] as bigint;
}

/** In the order of creation, without their payloads: there may be millions. */
function listActive(database: DatabaseSync, kinds: readonly string[]): readonly Omit<Contract, "payload">[] {
  const select = database.prepare(
    "select name, contract_id, created_at from active_contract " +
      "where name in (select value from json_each(?)) order by created_at, contract_id",
  );
  return select.all(JSON.stringify(kinds)).map((row) => ({
    templateId: row["name"] as string,
    contractId: row["contract_id"] as ContractId,
    createdAt: row["created_at"] as Time,
  }));
}

/** A contract at rest, as consumers get it. */
export function decodeAtRest(contract: Contract, place: bigint): CreatedContract {
  const template = networkCatalogue.findTemplate(contract.templateId);
  if (template === undefined) throw new Error(`no package of the network has ${contract.templateId}`);
  const value = template.payload.decode(JSON.parse(contract.payload));
  return { contract, value, signatories: template.signatories(value), place };
}
