/** An SV that has its identity alone, on a network that has pruned its log. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { until } from "../../packages/node/testing/until.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { DaysNetwork, type DaysOptions } from "../support/days-network.ts";

export const provenOf = ({ snapshots }: SvNode) => snapshots.proven()?.manifest.head.sequence ?? 0;

/** Days have passed, the log is trimmed, and the last SV is stopped and has its identity alone. */
export async function loseLast(
  options: Pick<DaysOptions, "openLog"> = {},
): Promise<{ readonly network: DaysNetwork; readonly folder: string }> {
  const network = await DaysNetwork.found(4, { ...options, config: { retentionMicroseconds: DAY } });
  for (let day = 0; day < 3; day++) await network.passDay();
  await network.prune();
  expect((await network.log.start()).sequence).toBeGreaterThan(0);
  const folder = network.folderOf(3);
  await network.svs[3]?.close();
  for (const name of readdirSync(folder))
    if (name !== "identity.json") rmSync(join(folder, name), { recursive: true });
  return { network, folder };
}

/** Entries go on, so that one may be ahead of the other for a moment. */
export async function standAlike(one: Pick<SvNode, "replica">, other: Pick<SvNode, "replica"> | undefined) {
  const areEqual = async () => isDeepStrictEqual(one.replica.state.head, other?.replica.state.head);
  await until(areEqual, "both replicas stand at the same entry with the same digest");
}

/** The SV has caught up, and its next snapshot is that of the others. */
export async function expectEqual(network: DaysNetwork, again: SvNode): Promise<void> {
  await network.reach((await network.log.head()).sequence);
  await standAlike(again, network.svs[0]);
  await network.passDay();
  // A snapshot is proven only if its own digest is the agreed one.
  expect(provenOf(again)).toBe(Number(again.replica.state.findAgreedSnapshot()?.sequence));
}
