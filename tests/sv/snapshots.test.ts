/** SVs make a snapshot a day, agree on it, prune behind it, and start from it. */
import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createClient, sequencerApi, snapshotPartMessage } from "@callsign/api";
import { type MemberIdentity, SignatureChecks, sha256, systemHost } from "@callsign/node";
import { prepareLogCopy, startScanNode } from "@callsign/sv";
import { CopiedLog, checkSnapshot, LogPruner, readFirstEntry } from "@callsign/synchronizer";
import { expect, test } from "vitest";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { DaysNetwork } from "../support/days-network.ts";
import { identityNamed, testLog } from "../support/sv-nodes.ts";
import { expectEqual, loseLast, provenOf, standAlike } from "./lost-sv.ts";

test("four SVs agree on the same snapshot each day, keep one, and prune the log behind the retention", async () => {
  const network = await DaysNetwork.found(4, { config: { retentionMicroseconds: 2n * DAY } });
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

test("a snapshot proves nothing with fewer signatures than a quorum, with other parts, or for another network", async () => {
  const network = await DaysNetwork.found(4, { config: { retentionMicroseconds: 2n * DAY } });
  await network.passDay();
  const proven = network.svs[0]?.snapshots.proven();
  if (!proven) throw new Error("no snapshot is proven");
  const { manifest, proof } = proven;
  const { verify } = new SignatureChecks();
  const faultOf = (given: Parameters<typeof checkSnapshot>[0], id?: string) => {
    const checked = checkSnapshot(given, {
      hash: sha256,
      verify,
      ...(id === undefined ? {} : { network: id }),
    });
    return checked.ok ? null : checked.fault;
  };
  expect(faultOf({ manifest, proof })).toBeNull();
  const [one, two] = proof.attested.attestations;
  const twice = [one, two, two].flatMap((each) => each ?? []);
  const few = { ...proof, attested: { ...proof.attested, attestations: twice } };
  expect(faultOf({ manifest, proof: few })).toContain("is attested by 2 of 4 SVs, and 3 are needed");
  const cut = { ...manifest, parts: manifest.parts.slice(1) };
  expect(faultOf({ manifest: cut, proof })).toContain("its parts are not those");
  expect(faultOf({ manifest, proof }, "f".repeat(64))).toContain("and this one is");
});

test("a day is pruned only behind a snapshot that is proven, however long ago it was", async () => {
  const network = await DaysNetwork.found(1, { config: { retentionMicroseconds: 100n * DAY } });
  const { replica } = network.svs[0] as SvNode;
  const starts: number[] = [];
  replica.onDay((outcomes) => void starts.push(outcomes.at(-1)?.head.sequence ?? 0));
  for (let day = 0; day < 4; day++) await network.passDay();
  const startAfter = async (snapshot: number) => {
    const pruner = new LogPruner({
      ...{ replica, streams: null, trimLog: network.log.trim, retentionMicroseconds: DAY },
      ...{ snapshot: () => snapshot, timers: systemHost.timers, log: testLog() },
    });
    await pruner.prune();
    return (await network.log.start()).sequence;
  };
  const [first = 0, second = 0, third = 0, fourth = 0] = starts;
  expect(await startAfter(0)).toBe(0);
  expect(await startAfter(first)).toBe(first - 1);
  expect(await startAfter(third - 1)).toBe(second - 1);
  // The last day is within the retention.
  expect(await startAfter(fourth)).toBe(third - 1);
});

test("an SV that lost its replica starts from a snapshot of its process and attests the next one like the others", async () => {
  const { network } = await loseLast();
  const again = await network.open(3);
  await expectEqual(network, again);
  expect(await again.scrub.finishRound()).toBe(null);
});

test("an SV without any snapshot fetches one from another SV, past one that is silent", async () => {
  const { network, folder } = await loseLast();
  const urls = ["http://127.0.0.1:9", network.svs[1]?.sequencerUrl ?? ""];
  const again = await network.open(3, { snapshotFolders: [folder], snapshotUrls: urls });
  await expectEqual(network, again);
});

test("an SV that finds no snapshot does not start, and says where it looked and what to do", async () => {
  const { network, folder } = await loseLast();
  const { sequence } = await network.log.start();
  const opening = network.open(3, { snapshotFolders: [folder], snapshotUrls: ["http://127.0.0.1:9"] });
  await expect(opening).rejects.toThrow(
    `the log begins behind entry ${sequence}, and no snapshot takes the place`,
  );
  await expect(opening).rejects.toThrow("log.snapshotSources, or copy the file snapshot-<entry>.db");
  network.svs.pop();
});

test("parts of a snapshot are for SVs alone, and a part that is not there is said so", async () => {
  const network = await DaysNetwork.found(1);
  await network.passDay();
  const [sv] = network.svs as [SvNode];
  const client = createClient(sequencerApi, { fetch, baseUrl: sv.sequencerUrl });
  const { network: id } = await client.getNetwork();
  const sequence = provenOf(sv);
  const ask = (asker: MemberIdentity, part: number) => {
    const question = { sv: asker.id, sequence, part };
    const signature = asker.signingKey.sign(snapshotPartMessage(id, sv.identity.id, question));
    const { publicKey } = asker.signingKey;
    return client.getSnapshotPart({ body: { ...question, publicKey, signature } });
  };
  expect((await ask(sv.identity, 0)).part).toContain("member");
  await expect(ask(identityNamed("stranger"), 0)).rejects.toThrow(
    "an SV asks by its signing key on the ledger",
  );
  await expect(ask(sv.identity, 1000)).rejects.toThrow(`No part 1000 of a snapshot after entry ${sequence}`);
});

test("a scan whose copy of the log is empty starts from a snapshot file of an SV", async () => {
  const { network, folder } = await loseLast();
  network.svs.pop();
  const [first] = network.svs as [SvNode];
  const file = `snapshot-${provenOf(first)}.db`;
  copyFileSync(join(network.folderOf(0), file), join(folder, file));
  const parts = { host: systemHost, log: testLog() };
  const path = join(folder, "log-copy.db");
  await prepareLogCopy(path, network.log, { ...parts, folders: [folder] });
  const orderedLog = new CopiedLog({ remote: network.log, path, hash: sha256, ...parts });
  const scan = await startScanNode({
    ...{ dataFolder: folder, name: "scan", orderedLog, log: parts.log, system: systemHost },
    ...{ host: "127.0.0.1", port: 0 },
  });
  await scan.replica.reach((await network.log.head()).sequence, AbortSignal.timeout(30_000));
  await standAlike(scan, first);
  expect(await readFirstEntry(orderedLog, AbortSignal.timeout(1000))).toContain("FoundNetwork");
  await scan.close();
  await network.close();
  await orderedLog.close();
});
