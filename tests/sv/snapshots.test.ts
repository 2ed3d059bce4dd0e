/** SVs make a snapshot a day, agree on it, prune behind it, and start from it. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { DaysNetwork } from "../support/days-network.ts";

const provenOf = ({ snapshots }: SvNode) => snapshots.proven()?.manifest.head.sequence ?? 0;

test("four SVs agree on the same snapshot each day, keep one, and prune the log behind the retention", async () => {
  const network = await DaysNetwork.found(4, { retentionMicroseconds: 2n * DAY });
  const agreed: bigint[] = [];
  for (let day = 0; day < 5; day++) {
    await network.passDay();
    agreed.push(network.svs[0]?.replica.state.findAgreedSnapshot()?.sequence ?? 0n);
  }
  expect(new Set(agreed).size).toBe(5);
  expect(new Set(network.svs.map(provenOf)).size).toBe(1);
  for (const rank of [0, 3])
    expect(
      readdirSync(network.folderOf(rank)).filter((name) => /^snapshot-\d+\.db$/.test(name)),
    ).toHaveLength(1);
  await network.prune();
  // The first day that is kept is the one two days ago.
  expect((await network.log.start()).sequence).toBe(Number(agreed[2]) - 1);
});

test("an SV that lost its replica starts from the snapshot and attests the next one like the others", async () => {
  const network = await DaysNetwork.found(4, { retentionMicroseconds: DAY });
  for (let day = 0; day < 3; day++) await network.passDay();
  await network.prune();
  const start = (await network.log.start()).sequence;
  expect(start).toBeGreaterThan(0);
  await network.svs[3]?.close();
  for (const name of readdirSync(network.folderOf(3)))
    if (name !== "identity.json") rmSync(join(network.folderOf(3), name), { recursive: true });
  const again = await network.open(3);
  await network.reach((await network.log.head()).sequence);
  expect(again.replica.state.head).toEqual(network.svs[0]?.replica.state.head);
  await network.passDay();
  const { state } = again.replica;
  expect(state.findSnapshot(again.identity.id)?.digest).toBe(state.findAgreedSnapshot()?.digest);
  expect(await again.scrub.finishRound()).toBe(null);
});
