/**
 * The DSO's contracts at snapshots. A contract's row has the record times of its creation and of its end, so that a snapshot
 * is no copy: it shows the contracts that were created at or before it and ended after it. A contract that no snapshot shows
 * is deleted when it ends, all others once their last snapshot is.
 *
 * Payloads are in the replica's own rows while a contract is active, and in the history of updates afterwards. A row has a
 * payload of its own if its creation is in no update that this index keeps.
 */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import {
  type ContractId,
  decodeContract,
  networkCatalogue,
  type Outcome,
  type PartyId,
  type Time,
} from "@callsign/ledger";
import { creationPlace } from "@callsign/synchronizer";
import type { HeldContract } from "../history/held-contract.ts";
import type { KnownUpdate } from "../history/stored-update.ts";
import { snapshotBefore } from "../holdings/snapshot-time.ts";
import { SNAPSHOTS_KEPT_MICROSECONDS } from "../limits/limits.ts";

/** The key is a part of the hash in the contract's id. */
export const ACS_TABLES = `
  create table acs_contract (
    place integer primary key,
    key integer not null,
    contract_id text not null,
    created integer not null,
    ended integer,
    payload text
  ) strict;
  create index acs_contract_key on acs_contract (key);
  create index acs_contract_ended on acs_contract (ended) where ended is not null;
  create table acs_beginning (
    one integer primary key check (one = 1),
    sequence integer not null,
    record_time integer not null
  ) strict;
`;

interface AcsParts {
  readonly database: DatabaseSync;
  readonly findUpdateAt: (recordTime: Time) => KnownUpdate | undefined;
}

interface AskedPage {
  readonly snapshot: Time;
  /** The place of the last contract of the page before. */
  readonly after: bigint;
  readonly limit: number;
  /** Null: any. */
  readonly parties: ReadonlySet<string> | null;
  readonly templates: ReadonlySet<string> | null;
}

/** Contracts that one page looks through, so that no other call waits for long. */
const MAX_LOOKED_THROUGH = 5000;

/** Template, payload and ledger time of a contract, as one text. */
type OwnPayload = readonly [template: string, payload: unknown, createdAt: string];

export function openAcsRows({ database, findUpdateAt }: AcsParts) {
  const insert = database.prepare("insert into acs_contract values (?, ?, ?, ?, null, ?)");
  const find = database.prepare(
    "select place, created, payload from acs_contract where key = ? and contract_id = ?",
  );
  const remove = database.prepare("delete from acs_contract where place = ?");
  const end = database.prepare("update acs_contract set ended = ?, payload = ? where place = ?");
  const forget = database.prepare(
    "delete from acs_contract where place in (select place from acs_contract where ended <= ? order by ended limit +?)",
  );
  const active = database.prepare(
    "select c.payload, c.created_at, t.name from contract c join template t on t.id = c.template_id where c.contract_id = ?",
  );
  const begin = database.prepare("insert or ignore into acs_beginning values (1, ?, ?)");
  let hasBegun = false;

  /** Of a contract that the replica's rows have. */
  function readActive(contractId: string): string | null {
    const row = active.get(contractId);
    return row === undefined
      ? null
      : formatOwn(row["name"] as string, row["payload"] as string, row["created_at"]);
  }

  function beginAt({ head }: Outcome, dso: PartyId): void {
    const isFirst = begin.run(head.sequence, head.recordTime).changes === 1n;
    if (isFirst && head.sequence > 1) addActive(database, dso, head.recordTime, insert);
    hasBegun = true;
  }

  function endContract(contractId: ContractId, now: Time): number {
    const row = find.get(keyOf(contractId), contractId);
    if (row === undefined) return 0;
    const place = row["place"] as bigint;
    if ((row["created"] as bigint) > snapshotBefore(now)) remove.run(place);
    else end.run(now, place < 0n ? readActive(contractId) : (row["payload"] as string | null), place);
    return 1;
  }

  function add({ contract, nodeId }: Outcome["created"][number], { head, imported }: Outcome): void {
    const { contractId, templateId, payload, createdAt } = contract;
    const own = imported === null ? null : formatOwn(templateId, payload, createdAt);
    insert.run(creationPlace(head.sequence, nodeId), keyOf(contractId), contractId, head.recordTime, own);
  }

  return {
    ...openAcsReader(database, findUpdateAt),
    absorb: (outcome: Outcome, dso: PartyId) => {
      const { recordTime } = outcome.head;
      if (!hasBegun) beginAt(outcome, dso);
      let ended = 0;
      for (const { contractId } of outcome.archived) ended += endContract(contractId, recordTime);
      for (const node of outcome.created)
        if (node.signatories.includes(dso) || node.observers.includes(dso)) add(node, outcome);
      // Twice as many as can have been added, so that old contracts do not pile up.
      if (ended > 0) forget.run(recordTime - SNAPSHOTS_KEPT_MICROSECONDS, 2 * ended);
    },
    reload: () => {
      hasBegun = false;
    },
  };
}

function openAcsReader(database: DatabaseSync, findUpdateAt: AcsParts["findUpdateAt"]) {
  const rows =
    "select a.place, a.contract_id, a.created, a.payload as own, c.payload, c.created_at, t.name from acs_contract a " +
    "left join contract c on c.contract_id = a.contract_id left join template t on t.id = c.template_id";
  const at = database.prepare(
    `${rows} where a.place > ? and a.created <= ? and (a.ended is null or a.ended > ?) order by a.place`,
  );
  const byId = database.prepare(`${rows} where a.key = ? and a.contract_id = ?`);
  const beginning = database.prepare("select sequence, record_time from acs_beginning");
  const read = (row: Record<string, SQLOutputValue>): HeldContract => readHeld(row, findUpdateAt);
  return {
    /** In the order of creation. A page that looks through many contracts ends early, with the place to go on from. */
    pageAt: ({ snapshot, after, limit, parties, templates }: AskedPage) => {
      const contracts: HeldContract[] = [];
      let [last, looked] = [after, 0];
      for (const row of at.iterate(after, snapshot, snapshot)) {
        last = row["place"] as bigint;
        const held = isOther(templates, row["name"]) ? undefined : read(row);
        if (held !== undefined && isWanted(held, parties, templates)) contracts.push(held);
        if (contracts.length === limit || ++looked === MAX_LOOKED_THROUGH) return { contracts, next: last };
      }
      return { contracts, next: null };
    },
    find: (contractId: string): HeldContract | undefined => {
      const row = byId.get(keyOf(contractId), contractId);
      return row === undefined ? undefined : read(row);
    },
    /** Snapshots before it lack contracts. */
    findFirstSnapshot: (): bigint => {
      const row = beginning.get();
      if (row === undefined) return 2n ** 63n - 1n;
      return row["sequence"] === 1n ? -(2n ** 63n) : (row["record_time"] as bigint);
    },
  };
}

/** True for a template that is known without the payload, and not asked for. */
function isOther(templates: ReadonlySet<string> | null, name: unknown): boolean {
  return templates !== null && name !== null && !templates.has(name as string);
}

function isWanted(
  { templateId, payload }: HeldContract,
  parties: ReadonlySet<string> | null,
  templates: ReadonlySet<string> | null,
): boolean {
  if (templates !== null && !templates.has(templateId)) return false;
  if (parties === null) return true;
  const template = networkCatalogue.findTemplate(templateId);
  const value: unknown = template?.payload.decode(payload);
  const stakeholders = [...(template?.signatories(value) ?? []), ...(template?.observers(value) ?? [])];
  return stakeholders.some((party) => parties.has(party));
}

function readHeld(row: Record<string, SQLOutputValue>, findUpdateAt: AcsParts["findUpdateAt"]): HeldContract {
  const contractId = row["contract_id"] as ContractId;
  const [place, created] = [row["place"] as bigint, row["created"] as Time];
  const isImported = row["own"] !== null;
  const shared = { place, contractId, createdIn: place < 0n || isImported ? null : created };
  if (row["name"] !== null) {
    const payload: unknown = JSON.parse(row["payload"] as string);
    return { ...shared, templateId: row["name"] as string, payload, createdAt: row["created_at"] as Time };
  }
  if (isImported) {
    const [templateId, payload, createdAt] = JSON.parse(row["own"] as string) as OwnPayload;
    return { ...shared, templateId, payload, createdAt: BigInt(createdAt) as Time };
  }
  const update = findUpdateAt(created);
  const event = update?.events.find((each) => each.kind === "create" && each.contractId === contractId);
  if (update === undefined || event?.kind !== "create") throw new Error(`no update creates ${contractId}`);
  const { templateId, payload } = event;
  return { ...shared, templateId, payload, createdAt: update.ledgerTime };
}

/** The contracts that are active when an index begins in the middle of the log, in the order of their ledger times. */
function addActive(
  database: DatabaseSync,
  dso: PartyId,
  now: Time,
  insert: { readonly run: (...values: (bigint | string | null)[]) => unknown },
): void {
  const select = database.prepare(
    "select c.contract_id, c.payload, c.created_at, t.name from contract c join template t on t.id = c.template_id " +
      "order by c.created_at, c.contract_id",
  );
  let place = -(2n ** 40n);
  for (const row of select.iterate()) {
    const contractId = row["contract_id"] as ContractId;
    const { signatories, observers } = decodeContract(networkCatalogue, {
      contractId,
      templateId: row["name"] as string,
      payload: row["payload"] as string,
      createdAt: row["created_at"] as Time,
    });
    if (![...signatories, ...observers].includes(dso)) continue;
    insert.run(place++, keyOf(contractId), contractId, now, null);
  }
}

function formatOwn(template: string, payload: string, createdAt: unknown): string {
  return `["${template}",${payload},"${createdAt}"]`;
}

/** The end of the id is a hash. */
function keyOf(contractId: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x0${/[0-9a-f]{0,16}$/.exec(contractId)?.[0] ?? ""}`));
}
