/**
 * The DSO's contracts at snapshots. A contract's row has the record times of its creation and of its end, so that a snapshot
 * is no copy: it shows the contracts that were created at or before it and ended after it. A contract that no snapshot shows
 * is deleted when it ends, all others once their last snapshot is. Rows wait for the end of a transaction or for a reader, so that
 * a contract which is created and archived before has none.
 *
 * Payloads are in the replica's own rows while a contract is active, and in the history of updates afterwards. A row has a
 * payload of its own if its creation is in no update that this index keeps.
 */
import type { DatabaseSync } from "node:sqlite";
import {
  type ContractId,
  decodeContract,
  networkCatalogue,
  type Outcome,
  type PartyId,
  type Time,
} from "@callsign/ledger";
import {
  addIdBytes,
  CheckedRows,
  type CheckedTable,
  CONTRACT_BODY,
  CONTRACT_PAYLOAD,
  contractIdColumns,
  creationPlace,
  KeyedRows,
  keptContractId,
  type Row,
  readKeptId,
  type SqliteState,
} from "@callsign/synchronizer";
import type { HeldContract } from "../history/held-contract.ts";
import type { KnownUpdate } from "../history/stored-update.ts";
import { snapshotBefore } from "../holdings/snapshot-time.ts";
import { REMEMBERED_ACS_CONTRACTS, SNAPSHOTS_KEPT_MICROSECONDS } from "../limits/limits.ts";
import { type BeginningRow, openBeginning } from "./beginning.ts";
import { type EndedTable, openEndedRows } from "./ended-rows.ts";

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

export const ACS_ID_BYTES = addIdBytes("acs_contract");

/** As earlier releases had them. */
export const TEXT_ACS_CONTRACTS = {
  table: "acs_contract",
  columns: ["place", "key", "contract_id", "created", "ended", "payload"],
} as const satisfies CheckedTable;

export const ACS_CONTRACTS = {
  ...TEXT_ACS_CONTRACTS,
  columns: [...TEXT_ACS_CONTRACTS.columns, "id_bytes"],
  added: 1,
} as const satisfies CheckedTable;

export const ACS_BEGINNING = {
  table: "acs_beginning",
  columns: ["one", "sequence", "record_time"],
} as const satisfies CheckedTable;

const ENDED_CONTRACTS = {
  table: "acs_contract",
  key: "place",
  isEnded: "ended is not null",
} as const satisfies EndedTable;

interface AcsParts {
  readonly state: SqliteState;
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

export function openAcsRows({ state, findUpdateAt }: AcsParts) {
  const { database, sums } = state;
  const rows = new CheckedRows(database, ACS_CONTRACTS, sums);
  const beginning = openBeginning(state, ACS_BEGINNING);
  const byId = rows.query(`where key = ? and ${keptContractId()} = ?`);
  const remove = rows.deletion(`where key = ? and ${keptContractId()} = ?`);
  const changed = new KeyedRows<Row>({
    read: (contractId) => byId.get(keyOf(contractId), contractId),
    write: (contractId, row) => {
      if (row["key"] === undefined)
        Object.assign(row, { key: keyOf(contractId), ...contractIdColumns(contractId) });
      rows.write(row);
    },
    remove: (contractId) => remove(keyOf(contractId), contractId),
    remembered: REMEMBERED_ACS_CONTRACTS,
  });
  const ended = openEndedRows(state, { ...ENDED_CONTRACTS, rows, save: () => changed.save() });
  const active = database.prepare(
    "select payload, created_at, name from active_contract where contract_id = ?",
  );

  /** Of a contract that the replica's rows have. */
  function readActive(contractId: string): string | null {
    const row = active.get(contractId);
    return row === undefined
      ? null
      : formatOwn(row["name"] as string, row["payload"] as string, row["created_at"]);
  }

  function endContract(contractId: ContractId, now: Time): number {
    const row = changed.find(contractId);
    if (row === undefined) return 0;
    if ((row["created"] as bigint) > snapshotBefore(now)) changed.remove(contractId);
    else {
      const payload = (row["place"] as bigint) < 0n ? readActive(contractId) : (row["payload"] ?? null);
      changed.set(contractId, { ...row, ended: now, payload });
      ended.note(now);
    }
    return 1;
  }

  function add({ contract, nodeId }: Outcome["created"][number], { head, imported }: Outcome): void {
    const { contractId, templateId, payload, createdAt } = contract;
    changed.set(contractId, {
      place: creationPlace(head.sequence, nodeId),
      created: head.recordTime,
      ended: null,
      payload: imported === null ? null : formatOwn(templateId, payload, createdAt),
    });
  }

  return {
    ...openAcsReader({ state, rows, beginning, findUpdateAt }),
    absorb: (outcome: Outcome, dso: PartyId) => {
      const { recordTime } = outcome.head;
      const isFirst = beginning.ensure(() => [outcome.head.sequence, recordTime]);
      if (isFirst && outcome.head.sequence > 1) addActive(database, dso, recordTime, rows);
      let count = 0;
      for (const { contractId } of outcome.archived) count += endContract(contractId, recordTime);
      for (const node of outcome.created)
        if (node.signatories.includes(dso) || node.observers.includes(dso)) add(node, outcome);
      // Twice as many as can have been added, so that old contracts do not pile up.
      if (count > 0) ended.forget(recordTime - SNAPSHOTS_KEPT_MICROSECONDS, 2 * count);
    },
    save: (isOver?: () => boolean) => changed.save(isOver),
    reload: () => {
      beginning.reload();
      changed.reload();
      ended.reload();
    },
  };
}

interface AcsReaderParts extends AcsParts {
  readonly rows: CheckedRows;
  readonly beginning: BeginningRow;
}

function openAcsReader({ state, rows, beginning, findUpdateAt }: AcsReaderParts) {
  const { database } = state;
  const select =
    `select a.*, ${CONTRACT_PAYLOAD} as active_payload, c.created_at, t.name from acs_contract a ` +
    `left join contract c on c.contract_id = ${keptContractId("a")} left join ${CONTRACT_BODY} left join template t on t.id = c.template_id`;
  const at = database.prepare(
    `${select} where a.place > ? and a.created <= ? and (a.ended is null or a.ended > ?) order by a.place`,
  );
  const byId = database.prepare(`${select} where a.key = ? and ${keptContractId("a")} = ?`);
  const read = (row: Row): HeldContract => {
    rows.check(row);
    return readHeld(row, findUpdateAt);
  };
  return {
    /** In the order of creation. A page that looks through many contracts ends early, with the place to go on from. */
    pageAt: ({ snapshot, after, limit, parties, templates }: AskedPage) => {
      const contracts: HeldContract[] = [];
      let [last, looked] = [after, 0];
      state.flush();
      for (const row of at.iterate(after, snapshot, snapshot)) {
        last = row["place"] as bigint;
        const held = isOther(templates, row["name"]) ? undefined : read(row);
        if (held !== undefined && isWanted(held, parties, templates)) contracts.push(held);
        if (contracts.length === limit || ++looked === MAX_LOOKED_THROUGH) return { contracts, next: last };
      }
      return { contracts, next: null };
    },
    find: (contractId: string): HeldContract | undefined => {
      state.flush();
      const row = byId.get(keyOf(contractId), contractId);
      return row === undefined ? undefined : read(row);
    },
    /** Snapshots before it lack contracts. */
    findFirstSnapshot: (): bigint => {
      const row = beginning.find();
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

function readHeld(row: Row, findUpdateAt: AcsParts["findUpdateAt"]): HeldContract {
  const contractId = readKeptId(row);
  const [place, created] = [row["place"] as bigint, row["created"] as Time];
  const isImported = row["payload"] !== null;
  const shared = { place, contractId, createdIn: place < 0n || isImported ? null : created };
  if (row["name"] !== null) {
    const payload: unknown = JSON.parse(row["active_payload"] as string);
    return { ...shared, templateId: row["name"] as string, payload, createdAt: row["created_at"] as Time };
  }
  if (isImported) {
    const [templateId, payload, createdAt] = JSON.parse(row["payload"] as string) as OwnPayload;
    return { ...shared, templateId, payload, createdAt: BigInt(createdAt) as Time };
  }
  const update = findUpdateAt(created);
  const event = update?.events.find((each) => each.kind === "create" && each.contractId === contractId);
  if (update === undefined || event?.kind !== "create") throw new Error(`no update creates ${contractId}`);
  const { templateId, payload } = event;
  return { ...shared, templateId, payload, createdAt: update.ledgerTime };
}

/** The contracts that are active when an index begins in the middle of the log, in the order of their ledger times. */
function addActive(database: DatabaseSync, dso: PartyId, now: Time, rows: Pick<CheckedRows, "insert">): void {
  const select = database.prepare(
    "select contract_id, payload, created_at, name from active_contract order by created_at, contract_id",
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
    const { contract_id: text, id_bytes: bytes } = contractIdColumns(contractId);
    rows.insert(place++, keyOf(contractId), text, now, null, null, bytes);
  }
}

function formatOwn(template: string, payload: string, createdAt: unknown): string {
  return `["${template}",${payload},"${createdAt}"]`;
}

/** The end of the id is a hash. */
function keyOf(contractId: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x0${/[0-9a-f]{0,16}$/.exec(contractId)?.[0] ?? ""}`));
}
