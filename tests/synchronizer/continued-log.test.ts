import type { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import type { StreamItem } from "../../packages/api/src/sequencer/stream-item.ts";
import { networkCatalogue } from "../../packages/ledger/src/contracts/network-catalogue.ts";
import { LockedAmulet } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { OpenMiningRound } from "../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import { DsoRules } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { decodeText } from "../../packages/ledger/src/daml/daml-type.ts";
import { decodeContract } from "../../packages/ledger/src/engine/live-contract.ts";
import type { ImportState } from "../../packages/ledger/src/transition/continuation-content.ts";
import { EntryContent } from "../../packages/ledger/src/transition/entry-content.ts";
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { ScanIndex } from "../../packages/scan/src/rows/scan-index.ts";
import { Agenda } from "../../packages/sv/src/agenda/agenda.ts";
import type { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { keptContractId } from "../../packages/synchronizer/src/replica/contract-id-bytes.ts";
import { exportState } from "../../packages/synchronizer/src/replica/export-state.ts";
import { MemberStreams } from "../../packages/synchronizer/src/streams/member-streams.ts";
import { chainStreamDigest } from "../../packages/synchronizer/src/streams/stream-item.ts";
import { readGoldenLog } from "../golden-log/golden-file.ts";
import { continueLog } from "../support/continued-log.ts";
import { openReplica } from "../support/open-replica.ts";
import { Oracle } from "./oracle.ts";
import { replicateLog } from "./replicate-log.ts";
import { simulatedLog } from "./simulated-log.ts";

const ALL = 100_000;
const atEnd = atEndOfFile();

/** A replica with everything that an SV keeps about the log. */
function replicate(entries: readonly LogEntry[], batch = 100) {
  const open = (log: SqliteLog) =>
    openReplica({ log }, (state) => ({
      streams: new MemberStreams(state, sha256),
      index: new ScanIndex(state),
      agenda: new Agenda(state, sha256),
    }));
  return replicateLog(entries, open, { batch, atEnd });
}

function rowsOf(database: DatabaseSync, query: string): readonly unknown[] {
  return database.prepare(query).all();
}

/** The state's own rows. */
const STATE = [
  "select * from active_contract order by contract_id",
  "select * from member order by id",
  "select * from hosting order by party",
  "select * from traffic order by id",
  "select * from stream_hosting order by party, member",
];
/** Rows of scan and agenda, without places: places tell the order, and rows come in it. */
const DERIVED = [
  "select template_id, round, contract_id, payload, created_at, tick from current_contract order by template_id, round, created_at, contract_id",
  "select * from opened_round order by number",
  "select * from minted_reward order by round, kind",
  "select name, expires_at, json from name_entry order by name, expires_at, contract_id",
  `select k.template, ${keptContractId()} as id, created_at, name_key, reference_key, owner_key, confirmation_key, coin_key, round, due, pending from sv_agenda_row r join sv_kind k on k.number = r.kind order by k.template, created_at, id`,
  "select * from sv_round order by number",
  "select contract_id, round, kind, amount from sv_coupon order by contract_id",
  "select * from sv_coupon_total order by round, kind",
];

const LOGS: readonly (readonly [string, () => readonly LogEntry[]])[] = [
  ["the golden log", () => readGoldenLog().log],
  ["the world of seed 4", () => simulatedLog(4, 200)],
];

describe.each(LOGS)("a network that goes on from %s", (_name, makeLog) => {
  let entries: readonly LogEntry[];
  let before: Awaited<ReturnType<typeof replicate>>;
  let after: typeof before;

  beforeAll(async () => {
    entries = makeLog();
    before = await replicate(entries);
    after = await replicate(continueLog(before.replica.state, before.index.history));
  });

  test("is exported in the same bytes by every replica, and once more by one that took it over", async () => {
    const other = await replicate(entries, 7);
    const { state } = before.replica;
    const parts = [...exportState(state, before.index.history)];
    expect([...exportState(other.replica.state, other.index.history)]).toEqual(parts);
    const again = exportState(after.replica.state, after.index.history, state.head.recordTime);
    expect([...again]).toEqual(parts);
  });

  test("has the same rows in every table", () => {
    for (const query of [...STATE, ...DERIVED])
      expect([query, ...rowsOf(after.database, query)]).toEqual([query, ...rowsOf(before.database, query)]);
    expect(rowsOf(before.database, STATE[0] as string).length).toBeGreaterThan(20);
  });

  test("comes with the contracts that others depend on first, and the rest as they were created", () => {
    const parts = exportState(before.replica.state, before.index.history);
    const contracts = [...parts].flatMap((part) => readContracts(part));
    const first = [DsoRules.id, OpenMiningRound.id, LockedAmulet.id];
    const place = (templateId: string) =>
      first.includes(templateId) ? first.indexOf(templateId) : first.length;
    const ordered = contracts.toSorted(
      (a, b) =>
        place(a.templateId) - place(b.templateId) ||
        Number(a.createdAt - b.createdAt) ||
        (a.contractId < b.contractId ? -1 : 1),
    );
    expect(contracts).toEqual(ordered);
    expect(contracts.slice(0, 2).map(({ templateId }) => templateId)).toEqual(first.slice(0, 2));
  });

  test.each([
    ["current_contract", "x.contract_id"],
    ["sv_coupon", "x.contract_id"],
    ["sv_agenda_row", keptContractId("x")],
  ])("lists contracts of one kind in the order in which they were created in %s", (table, id) => {
    const order = "select c.template_id, c.created_at from contract c join";
    const of = `${table} x on ${id} = c.contract_id order by c.template_id`;
    const listed = rowsOf(after.database, `${order} ${of}, x.created`);
    const { rows } = after.database.prepare(`select count(*) as rows from ${table}`).get() ?? {};
    expect(listed).toHaveLength(Number(rows));
    expect(listed).toEqual(rowsOf(after.database, `${order} ${of}, c.created_at`));
  });

  test("gives every member its parties and their active contracts, from offset 1 on", () => {
    const oracle = new Oracle();
    oracle.apply(entries);
    const { streams, replica } = after;
    const { state } = replica;
    let contracts = 0;
    for (const member of oracle.members) {
      const rows = streams.page(member, 0, ALL);
      const isSv = state.network?.svs.includes(member) === true;
      const items = rows.map(({ body }) => JSON.parse(body) as StreamItem);
      const hosts = (party: string) => state.findHosting(party as PartyId)?.hosts.includes(member) === true;
      const active = [...oracle.state.contracts.values()].filter((contract) => {
        const { signatories, observers } = decodeContract(networkCatalogue, contract);
        return !isSv && [...signatories, ...observers].some(hosts);
      });
      const seen = items.flatMap(({ update }) => update?.events ?? []).map(({ contractId }) => contractId);
      expect(seen.toSorted()).toEqual(active.map(({ contractId }) => contractId as string).toSorted());
      const parties = items.flatMap(({ hostings }) => hostings);
      const hosted = rowsOf(after.database, `select party from hosting where hosts like '%${member}%'`);
      expect(parties).toHaveLength(isSv ? 0 : hosted.length);
      expect(parties.every(({ party, hosted: isHosted }) => isHosted && hosts(party))).toBe(true);
      let digest = "0".repeat(64);
      for (const [i, row] of rows.entries()) {
        digest = chainStreamDigest(sha256, digest, i + 1, row.body);
        expect([row.offset, row.digest]).toEqual([i + 1, digest]);
      }
      contracts += seen.length;
    }
    expect(contracts).toBeGreaterThan(5);
  });
});

function readContracts(part: string): ImportState["contracts"] {
  const content = decodeText(EntryContent, part);
  if (content.tag !== "ImportState") throw new Error("no part");
  return content.value.contracts;
}
