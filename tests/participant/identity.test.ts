// A participant whose identity, store or network do not belong together says so at its start, with the remedy.

import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import type { Participant } from "../../packages/participant/src/start-participant.ts";
import { newActor, newParticipant, ready } from "../support/participants.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { createPreference, listActive } from "./preferences.ts";

const atEnd = atEndOfFile();
let sequencers: readonly string[];
let scan: string;
/** A participant that was stopped, with one contract of Alice. */
let stopped: { readonly folder: string; readonly id: string; readonly party: string };
let folder: string;

beforeAll(async () => {
  const network = await startSvNodes(4, atEnd);
  sequencers = network.sequencers;
  scan = network.svs[0]?.scanUrl ?? "";
  const original = temporaryFolder(atEnd);
  const participant = await newParticipant(sequencers, { dataFolder: original }, atEnd);
  await ready(participant);
  const { party, client } = await newActor(participant, "alice");
  await client.submitAndWait({ body: createPreference(party) });
  stopped = { folder: original, id: participant.participantId, party };
  await participant.close();
});

beforeEach(() => {
  folder = temporaryFolder();
  for (const file of ["identity.json", "participant.sqlite"])
    copyFileSync(join(stopped.folder, file), join(folder, file));
});

const identityFile = () => join(folder, "identity.json");

function changeStore(sql: string): void {
  const database = new DatabaseSync(join(folder, "participant.sqlite"));
  database.exec(sql);
  database.close();
}

async function start(urls = sequencers) {
  return await newParticipant(urls, { dataFolder: folder });
}

/** Waits for the reason, which the probe gives too; the participant stays not ready. */
async function says(participant: Participant, reason: RegExp): Promise<void> {
  await until(() => reason.test(participant.missing() ?? ""), `the participant says ${reason}`);
  const probe = await fetch(`${participant.url}/readyz`);
  expect(probe.status).toBe(503);
  expect(probe.headers.get("x-callsign-missing")).toMatch(reason);
  expect(participant.isReady()).toBe(false);
}

async function aliceHasHerContract(participant: Awaited<ReturnType<typeof start>>): Promise<void> {
  await ready(participant);
  expect(participant.missing()).toBeNull();
  expect(participant.participantId).toBe(stopped.id);
  const rights = [{ kind: { CanReadAs: { value: { party: stopped.party } } } }];
  const user = `reader-${Date.now()}`;
  await participant.admin.createUser({ body: { user: { id: user }, rights } });
  expect(await listActive(participant.as(user), stopped.party)).toHaveLength(1);
}

test("the same identity and store go on where they stopped, also from before stores knew their member", async () => {
  changeStore("delete from participant_setting where setting = 'member'");
  await aliceHasHerContract(await start());
});

test("an identity without its store reads its whole stream again", async () => {
  rmSync(join(folder, "participant.sqlite"));
  await aliceHasHerContract(await start());
});

test("a signing key that the network has not registered is named, and nothing is registered anew", async () => {
  const identity = JSON.parse(readFileSync(identityFile(), "utf8"));
  writeFileSync(identityFile(), JSON.stringify({ ...identity, signingKey: "ab".repeat(32) }));
  const participant = await start();
  await says(participant, /registered participant::.* with another signing key .* restore the identity.json/);
});

test("a store without its identity file stops the start, and no new identity is made", async () => {
  rmSync(identityFile());
  const missing =
    /identity.json is missing, and the store has the stream of participant::\w+ up to offset \d+: restore/;
  await expect(start()).rejects.toThrow(missing);
  expect(existsSync(identityFile())).toBe(false);
  copyFileSync(join(stopped.folder, "identity.json"), identityFile());
  await ready(await start());
});

test("an identity file of another participant stops the start", async () => {
  const other = temporaryFolder();
  const { close, participantId } = await newParticipant(sequencers, { dataFolder: other });
  await close();
  copyFileSync(join(other, "identity.json"), identityFile());
  const text = `is the identity of ${participantId}, and the store is that of ${stopped.id}`;
  await expect(start()).rejects.toThrow(text);
});

test("another node identifier than that of the first start is refused with both", async () => {
  const starting = newParticipant(sequencers, { dataFolder: folder, nodeIdentifier: "renamed" });
  await expect(starting).rejects.toThrow(
    /nodeIdentifier is "renamed", and this participant was made as "participant"/,
  );
});

test("a store that is ahead of the sequencers' stream is not ready, and says where both stand", async () => {
  changeStore("update ledger_position set ledger_offset = ledger_offset + 5");
  const participant = await start();
  await says(
    participant,
    /the store stands at offset \d+ .* stream ends at offset \d+.*reads its whole stream/,
  );
  await participant.close();
  rmSync(join(folder, "participant.sqlite"));
  await aliceHasHerContract(await start());
});

test("a store whose last digest is not the network's is called damaged, without a new item", async () => {
  changeStore(`update ledger_position set digest = '${"0".repeat(64)}'`);
  await says(
    await start(),
    /the store is damaged or of another history: at offset \d+ it has the digest 0{16}/,
  );
});

test("sequencers of another network are named with both networks", async () => {
  const { sequencers: others } = await startSvNodes(1);
  await says(
    await start(others),
    /serves the network \w+, and this participant belongs to \w+. Configure the/,
  );
});

test("sequencers that do not answer are named with their number", async () => {
  await says(
    await start(["http://127.0.0.1:9"]),
    /0 of 1 sequencers can be followed, and 1 are needed. http:..127/,
  );
});

test("an address that is a scan's is told as one", async () => {
  await says(
    await start([scan]),
    /at http:\/\/127.0.0.1:\d+ a scan answers: give the address of a sequencer/,
  );
});

test("an identifier of an earlier release is kept, and a new participant gets the present one", async () => {
  const options = { nodeIdentifier: "present", earlierIdentifiers: ["another", "participant"] };
  const kept = await newParticipant(sequencers, { ...options, dataFolder: folder });
  expect(kept.participantId).toBe(stopped.id);
  const made = await newParticipant(sequencers, options);
  expect(made.participantId).toMatch(/^present::1220/);
});
