/** The scrub of a running SV: a stored bit that nothing has used yet halts the replica that has it. */
import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { Metrics } from "../../packages/node/src/observability/metrics.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { signFounding } from "../../packages/sv/src/founding/sign-founding.ts";
import { startScanNode } from "../../packages/sv/src/scan-node.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { openSvNode } from "../support/sv-nodes.ts";

async function openFounded() {
  const folder = temporaryFolder();
  const dataFolder = join(folder, "sv-1");
  const orderedLog = new SqliteLog(join(folder, "log.db"), systemHost);
  onTestFinished(() => orderedLog.close());
  const open = async () => {
    const node = await openSvNode({ dataFolder, orderedLog, log: silentLog, metrics: new Metrics() });
    onTestFinished(() => node.close());
    return node;
  };
  const node = await open();
  const { identity } = node;
  const sequence = await node.submit(
    signFounding({ svs: [{ identity }], movableClock: true, isDevNet: true }),
  );
  await node.replica.reach(sequence, AbortSignal.timeout(60_000));
  await node.idle();
  return { node, open, dataFolder, folder, orderedLog };
}

async function whyNotReady({ scanUrl }: SvNode): Promise<string | null> {
  const { status, headers } = await fetch(`${scanUrl}/readyz`);
  return status === 200 ? null : headers.get("x-callsign-missing");
}

test.each([
  [
    "a contract's payload",
    "update contract_body set text = replace(text, '0', '1') where number = (select min(number) from contract_body where text like '%0%')",
    /is not what its id says/,
  ],
  [
    "a lost contract",
    "delete from contract where contract_id = (select max(contract_id) from contract)",
    /the table of contracts lacks one|which is not active/,
  ],
  [
    "a member's keys",
    "update member set body = replace(body, 'a', 'b')",
    /of the table member has another check/,
  ],
  [
    "the network's terms",
    "update network set body = replace(body, '0', '1')",
    /table network has another check/,
  ],
  [
    "a round of the agenda",
    "update sv_round set closes_at = closes_at + 1 where number = 1",
    /closes_at of contract \w+ in the table sv_round/,
  ],
  [
    "an update of scan's history",
    "update update_block set packed = substr(packed, 2) where last = (select min(last) from update_block)",
    /of the table update_block has another check/,
  ],
  ["a lost update of scan's history", "delete from update_history", /the table update_history lacks a row/],
  [
    "a count of the SV's coupons",
    "insert into sv_coupon_total values (1, 1, 1, '1', 7)",
    /row 1, 1 of the table sv_coupon_total has another check/,
  ],
  ["a lost row of scan", "delete from current_contract", /the table current_contract lacks a row/],
  ["a lost row of the agenda", "delete from sv_agenda_row", /the table sv_agenda_row has 0 rows of contract/],
  [
    "a row of scan without a contract",
    `insert into party_contract values ('x', 'y', 1, '00${"ab".repeat(64)}')`,
    /which is not active/,
  ],
] as const)("%s is found: the replica halts and is rebuilt by the next start", async (_, sql, words) => {
  const { node, open, dataFolder } = await openFounded();
  expect(await node.scrub.finishRound()).toBeNull();
  expect(node.scrub.status).toMatchObject({ rounds: 1, findings: 0 });
  node.replica.state.database.exec(sql);
  expect((await node.scrub.finishRound())?.message).toMatch(words);
  expect(node.scrub.status.findings).toBe(1);
  const why = await whyNotReady(node);
  expect(why).toMatch(words);
  expect(why).toContain("its replica.db is damaged");
  await node.close();
  const again = await open();
  expect(again.rebuilt?.reason).toMatch(words);
  expect(readdirSync(dataFolder).filter((name) => name.includes(".damaged-")).length).toBe(1);
  await again.replica.reach(node.replica.state.head.sequence, AbortSignal.timeout(60_000));
  expect(await again.scrub.finishRound()).toBeNull();
});

test("a damaged row of history that a caller asks for halts the replica as well", async () => {
  const { node } = await openFounded();
  node.replica.state.database.exec("update opened_round set amulet_price = amulet_price || '0'");
  const { status } = await fetch(`${node.scanUrl}/api/scan/v0/amulet-config-for-round?round=0`);
  expect(status).toBe(500);
  await until(() => node.failure() !== null, "the SV halts");
  expect(await whyNotReady(node)).toMatch(/its replica.db is damaged \(the row .* of the table opened_round/);
});

test("a copy of the replica, made while the SV was stopped, brings its history back", async () => {
  const { node, open, dataFolder } = await openFounded();
  const listUpdates = ({ replica }: SvNode) =>
    replica.state.database.prepare("select last, packed from update_block order by last").all();
  const updates = listUpdates(node);
  expect(updates.length).toBeGreaterThan(0);
  await node.close();
  const [file, copy] = [join(dataFolder, "replica.db"), join(dataFolder, "copy")];
  copyFileSync(file, copy);
  const later = await open();
  await later.moveClock(1n);
  later.replica.state.database.exec("update update_history set dictionary = 7");
  expect((await later.scrub.finishRound())?.message).toContain("of the table update_history");
  const { sequence } = later.replica.state.head;
  await later.close();
  for (const end of ["-wal", "-shm", ".damaged"]) rmSync(file + end, { force: true });
  copyFileSync(copy, file);
  const again = await open();
  expect(again.rebuilt).toBeNull();
  await again.replica.reach(sequence, AbortSignal.timeout(60_000));
  expect(await again.scrub.finishRound()).toBeNull();
  expect(listUpdates(again).slice(0, updates.length)).toEqual(updates);
});

test("a damaged row that an entry needs first halts the replica as well", async () => {
  const { node, open } = await openFounded();
  const { state } = node.replica;
  node.replica.commit();
  state.database.exec("update member set body = replace(body, 'a', 'b')");
  state.reload();
  const { sequence } = state.head;
  await expect(node.moveClock(1n)).rejects.toThrow("of the table member has another check");
  await until(() => node.failure() !== null, "the SV halts");
  expect(await whyNotReady(node)).toMatch(/its replica.db is damaged \(the row .* of the table member/);
  expect(state.head.sequence).toBe(sequence);
  await node.close();
  const again = await open();
  expect(again.rebuilt?.reason).toContain("of the table member has another check");
  await again.replica.reach(sequence, AbortSignal.timeout(60_000));
  await again.moveClock(1n);
});

test("the scrub of a scan without an SV finds a changed row, and the scan is not ready", async () => {
  const { node, folder, orderedLog } = await openFounded();
  const scan = await startScanNode({
    ...{ dataFolder: join(folder, "scan"), name: "scan", host: "127.0.0.1", port: 0 },
    ...{ orderedLog, log: silentLog, metrics: new Metrics(), system: systemHost },
  });
  onTestFinished(scan.close);
  await scan.replica.reach(node.replica.state.head.sequence, AbortSignal.timeout(60_000));
  expect(await scan.scrub.finishRound()).toBeNull();
  scan.replica.state.database.exec("delete from current_contract");
  const words = /the table current_contract lacks a row/;
  expect((await scan.scrub.finishRound())?.message).toMatch(words);
  expect(scan.missing()).toMatch(words);
});
