// A network of several organisations is founded by a draft that goes from SV to SV.

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { parseLogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { collectSignatures, foundByDraft, parseDraft } from "../../packages/sv/src/index.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { startSvsIn } from "../support/migrated-svs.ts";
import { machineTime } from "../support/sv-nodes.ts";
import {
  draft,
  type Organisation,
  organisation,
  organisations,
  readJson,
  sign,
  signAll,
  succeeded,
  writeCard,
} from "./founding-kit.ts";

async function readLog({ dataFolder }: Organisation): Promise<readonly string[]> {
  const log = new SqliteLog(join(dataFolder, "log.db"), systemHost);
  try {
    for await (const { entries } of log.follow(0, AbortSignal.timeout(10_000))) return entries;
    return [];
  } finally {
    await log.close();
  }
}

async function complaintOf(outcome: Promise<{ exitCode: number; complained: string }>): Promise<string> {
  const { exitCode, complained } = await outcome;
  expect(exitCode).toBe(1);
  return complained;
}

test("three organisations found a network by draft, once, and the files' order does not matter", async () => {
  const all = await organisations(3);
  const [first] = all as [Organisation];
  const path = await draft(all);
  const signatures = await signAll(all, path);
  const said = succeeded(await first.run(["network", "found", path, ...signatures.toReversed()]));
  expect(said).toMatch(/^The network is founded: /);
  const again = succeeded(await first.run(["network", "found", path, ...signatures]));
  expect(again).toMatch(/^The network was founded before, by this draft: /);
  const idOf = (text: string) => /network: ([0-9a-f]{64})/.exec(text)?.[1];
  expect(idOf(again)).toBe(idOf(said));
  const entries = await readLog(first);
  expect(entries).toHaveLength(1);
  const entry = parseLogEntry(entries[0] ?? "");
  const keys = (readJson(all[1]?.card ?? "") as { namespaceKey: string; signingKey: string }[]).flatMap(
    ({ namespaceKey, signingKey }) => [namespaceKey, signingKey],
  );
  expect(entry.ok && entry.value.signatures.map(({ publicKey }) => publicKey).slice(2, 4)).toEqual(keys);
});

test("SVs that founded by draft run on that network", async () => {
  const names = ["sv-1", "sv-2"];
  const org = organisation("org", { folder: temporaryFolder(), names });
  await writeCard(org);
  const path = await draft([org]);
  const said = succeeded(await org.run(["network", "found", path, await sign(org, path)]));
  const { dataFolder } = org;
  const { svs, close } = await startSvsIn({ dataFolder, migrationId: 0n, names, isQuiet: true });
  onTestFinished(close);
  expect(svs.map((sv) => sv.replica.state.network?.id)).toEqual(
    [1, 2].map(() => /network: (\w+)/.exec(said)?.[1]),
  );
  expect(svs.map((sv) => sv.missing())).toEqual([null, null]);
});

test("a founding tells every signature that is missing, wrong or of another draft, and appends nothing", async () => {
  const all = await organisations(4);
  const [first, second, third] = all as [Organisation, Organisation, Organisation];
  const path = await draft(all);
  const other = await draft(all.slice(0, 3), "other.json");
  await sign(first, path);
  await sign(second, other);
  await sign(third, path);
  const [signed] = readJson(third.signature) as [{ signatures: { publicKey: string; signature: string }[] }];
  const [good, bad] = signed.signatures as [{ publicKey: string }, { publicKey: string; signature: string }];
  const flipped = `${bad.signature.startsWith("0") ? "1" : "0"}${bad.signature.slice(1)}`;
  writeFileSync(
    third.signature,
    JSON.stringify([{ ...signed, signatures: [good, { ...bad, signature: flipped }] }]),
  );
  const files = [first, second, third].map(({ signature }) => signature);
  const complaint = await complaintOf(first.run(["network", "found", path, ...files]));
  const { hash } = parseDraft(systemHost.files.read(path) ?? "", path);
  const { hash: otherHash } = parseDraft(systemHost.files.read(other) ?? "", other);
  expect(complaint).toBe(
    `callsign network found: draft ${hash}: the signature of org-2 is for another draft, ${otherHash}; a signature of ` +
      `org-3 does not hold (key ${bad.publicKey}); 3 of 4 SVs have not signed: run callsign network sign at org-2, org-3, org-4\n`,
  );
  expect(systemHost.files.list(first.dataFolder)).not.toContain("log.db");
});

test("a log that begins with another draft stays as it is", async () => {
  const all = await organisations(2);
  const [first] = all as [Organisation];
  const path = await draft(all);
  succeeded(await first.run(["network", "found", path, ...(await signAll(all, path))]));
  const before = await readLog(first);
  const other = await draft(all.toReversed(), "other.json");
  for (const { signature } of all) rmSync(signature);
  const signatures = await signAll(all, other);
  expect(await complaintOf(first.run(["network", "found", other, ...signatures]))).toMatch(
    /the log begins with another draft, [0-9a-f]{64}, and this one is [0-9a-f]{64}: give an empty log/,
  );
  expect(await readLog(first)).toEqual(before);
});

test("of two foundings at once one is appended, and the other finds it or is refused", async () => {
  const all = await organisations(2);
  const path = await draft(all);
  const other = await draft(all.toReversed(), "other.json");
  const envelopeOf = async (file: string) => {
    for (const { signature } of all) rmSync(signature, { force: true });
    const signatures = await signAll(all, file);
    return collectSignatures(
      parseDraft(systemHost.files.read(file) ?? "", file),
      signatures.flatMap((each) => readJson(each) as Parameters<typeof collectSignatures>[1]),
    );
  };
  const [one, two] = [await envelopeOf(path), await envelopeOf(other)];
  const log = new SqliteLog(join(temporaryFolder(), "log.db"), systemHost);
  onTestFinished(log.close);
  const parts = { log, clock: machineTime, host: systemHost };
  const outcomes = await Promise.allSettled([one, one, two].map((each) => foundByDraft(each, parts)));
  const founded = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(founded.map(({ isNew }) => isNew)).toEqual([true, false]);
  expect(founded[1]?.network.id).toBe(founded[0]?.network.id);
  expect(outcomes[2]).toMatchObject({
    reason: { message: expect.stringContaining("the log begins with another draft") },
  });
  expect((await log.head()).sequence).toBe(1);
});

test("an SV signs no terms but those of its own configuration, hidden ones included", async () => {
  const all = await organisations(2);
  const [, second] = all as [Organisation, Organisation];
  const path = await draft(all);
  const refused = await complaintOf(
    second.run(["network", "sign", path, "--to", second.signature], { network: { isDevNet: false } }),
  );
  expect(refused).toBe(
    "callsign network sign: the draft has other terms than this configuration: isDevNet is true, and false here. " +
      "Agree on the keys under network, and draft again\n",
  );
  const drafted = readJson(path) as { value: { dsoRulesConfig: Record<string, unknown> } };
  drafted.value.dsoRulesConfig["numUnclaimedRewardsThreshold"] = "77";
  writeFileSync(path, JSON.stringify(drafted));
  const hidden = await complaintOf(second.run(["network", "sign", path, "--to", second.signature]));
  expect(hidden).toMatch(/dsoRulesConfig\.numUnclaimedRewardsThreshold is "77", and "10" here/);
  expect(systemHost.files.read(second.signature)).toBeNull();
});

test("an SV signs only a draft that has it as it is", async () => {
  const all = await organisations(2);
  const [first, second] = all as [Organisation, Organisation];
  const without = await draft([first], "without.json");
  const run = (path: string) => second.run(["network", "sign", path, "--to", second.signature]);
  expect(await complaintOf(run(without))).toMatch(
    /org-2::[0-9a-f]+ is none of the draft's SVs: draft again with the card of org-2/,
  );
  const [card] = readJson(second.card) as [Record<string, unknown>];
  writeFileSync(second.card, JSON.stringify([{ ...card, rewardWeight: 1 }]));
  const path = await draft(all);
  expect(await complaintOf(run(path))).toMatch(
    /the draft has org-2 otherwise than its identity and configuration do: rewardWeight is 1, and 10000 here/,
  );
  rmSync(join(second.dataFolder, "org-2", "identity.json"));
  expect(await complaintOf(run(path))).toMatch(/org-2 has no identity: set callsign\.dataFolder/);
});

test("a draft that the ledger would refuse is not written, and files are never replaced", async () => {
  const [first] = (await organisations(1)) as [Organisation];
  const path = join(first.dataFolder, "draft.json");
  const twice = first.run(["network", "draft", first.card, first.card, "--to", path]);
  expect(await complaintOf(twice)).toMatch(/the ledger would refuse this draft: .*distinct names and keys/);
  expect(systemHost.files.read(path)).toBeNull();
  await draft([first]);
  const again = first.run(["network", "draft", first.card, "--to", path]);
  expect(await complaintOf(again)).toContain(`${path} is there already: give the name of a new file`);
});

test("files of another kind are refused by their names, and commands say which files they need", async () => {
  const [first] = (await organisations(1)) as [Organisation];
  const path = await draft([first]);
  const { card } = first;
  expect(await complaintOf(first.run(["network", "sign", card, "--to", "x"]))).toMatch(
    /card\.json is no draft \(.*\): give a file of network draft/,
  );
  expect(await complaintOf(first.run(["network", "found", path, card]))).toMatch(
    /card\.json holds no signatures under a draft: give a file of network sign/,
  );
  expect(await complaintOf(first.run(["network", "draft", path, "--to", "x"]))).toMatch(
    /draft\.json holds no cards of SVs: give a file of identity show --json/,
  );
  for (const [words, problem] of [
    [["network", "draft", "--to", "x"], "callsign network draft needs <cards>…"],
    [["network", "sign", path], "callsign network sign needs --to"],
    [["network", "sign", path, card, "--to", "x"], `callsign network sign takes no argument ${card}`],
    [["network", "found", path], "callsign network found needs <draft> <signatures>…"],
  ] as const) {
    const { exitCode, complained } = await first.run(words);
    expect([exitCode, complained.slice(0, problem.length)]).toEqual([2, problem]);
  }
});
