/** A flipped bit in one SV's rows: the SV whose outcomes differ from the others' halts, and the others go on. */
import { expect, onTestFinished, test } from "vitest";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { until } from "../../packages/node/testing/until.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { changeNetworkRow } from "../support/network-row.ts";
import { startSvNodes } from "../support/sv-nodes.ts";

const TIMEOUT = { timeout: 120_000 };

/** Changes a text in the only contract that has it. The replica reads its rows again. */
function changeContract({ replica }: SvNode, from: string, to: string): void {
  replica.commit();
  const changed = replica.state.database
    .prepare("update contract_body set text = replace(text, ?, ?) where instr(text, ?) > 0")
    .run(from, to, from);
  expect(changed.changes).toBe(1n);
  replica.state.reload();
}

/** The lines of a log. */
function keepLines() {
  const lines: { readonly fields: object; readonly message: string }[] = [];
  const keep = (fields: object, message: string) => void lines.push({ fields, message });
  const log = { ...silentLog, error: keep, child: () => log };
  return { log, lines };
}

async function whyNotReady({ scanUrl }: SvNode): Promise<string | null> {
  const { status, headers } = await fetch(`${scanUrl}/readyz`);
  return status === 200 ? null : headers.get("x-callsign-missing");
}

test("the SV that has another outcome halts, the others report it and go on", TIMEOUT, async () => {
  const { log, lines } = keepLines();
  const world = await LocalNetwork.start({ log, separateReplicas: true });
  onTestFinished(() => world.close());
  await world.tap("app-user", "1234.5");
  await world.settle();
  const [first, , third] = world.net.svs as [SvNode, SvNode, SvNode];
  // A coin costs half a cent, and amounts are kept in units of 10⁻¹⁰.
  changeContract(third, "2469000000000000", "3469000000000000");
  await world.buy("app-user", "meanwhile");
  await until(() => third.failure() !== null, "the SV halts");
  const reason = await whyNotReady(third);
  expect(reason).toContain("its replica.db is damaged (it differs from the replicas of");
  expect(reason).toContain("Start again: it is moved aside and rebuilt from the log");
  const stopped = lines.find(({ message }) => message === "the replica stopped");
  expect(stopped?.fields).toMatchObject({ file: expect.stringContaining("sv-3/replica.db") });
  await until(
    () => lines.filter(({ message }) => message.startsWith("another SV's replica differs")).length === 3,
    "the other three report it",
  );
  expect(await whyNotReady(first)).toBeNull();
  const metrics = await (await fetch(world.net.metricsUrl)).text();
  const differing = [
    ...metrics.matchAll(/^callsign_peer_differs\{.*node_name="sv-1".*peer="(sv-\d)::.*\} 1$/gm),
  ];
  expect(differing.map(([, peer]) => peer)).toEqual(["sv-3"]);
  const buyer = await world.party("app-user");
  for (const number of [1, 2, 4]) expect(await world.owner("meanwhile.unverified.cns", number)).toBe(buyer);
  // A sequencer on a wrong state takes nothing more.
  const { sequence } = first.replica.state.head;
  await expect(third.moveClock(1n)).rejects.toThrow("replica.db is damaged");
  expect(first.replica.state.head.sequence).toBe(sequence);
  const dataFolder = `${world.folder}/net`;
  await world.net.close();
  const again = await LocalNetwork.start({ dataFolder, separateReplicas: true });
  onTestFinished(() => again.close());
  expect(again.net.notices).toEqual([expect.stringMatching(/sv-3.*rebuilt from the log/)]);
  expect(await again.owner("meanwhile.unverified.cns", 3)).toBe(buyer);
  expect(await again.digestsAgree()).toBe(true);
});

test("two SVs that differ are both not ready: nobody can say which is right", TIMEOUT, async () => {
  const { svs } = await startSvNodes(2);
  const [first, second] = svs as [SvNode, SvNode];
  await first.moveClock(6_000_000n);
  await second.replica.reach(first.replica.state.head.sequence, AbortSignal.timeout(60_000));
  for (const sv of svs) await until(async () => (await whyNotReady(sv)) === null, "the SV is ready");
  changeNetworkRow(second.replica.state, "6000000", "7000000");
  await first.submit({ content: "nonsense", signatures: [] });
  for (const sv of svs) {
    await until(async () => (await whyNotReady(sv)) !== null, "the SV is not ready");
    expect(await whyNotReady(sv)).toContain("no majority of the SVs says which is right");
    expect(sv.failure()).toBeNull();
  }
});
