/**
 * All SVs are killed in the moment of an acknowledgement, while the participant and the validator live on and calls are made.
 * The SVs come back on their log, with replicas as the kill left them, of an earlier time, or empty: the participant is ahead of them.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, scanApi, sequencerApi } from "@callsign/api";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import { SmallNetwork } from "../backup/small-network.ts";
import { Child } from "../support/child-process.ts";
import { Random } from "../support/random.ts";
import { seed } from "../support/seed.ts";
import { totalCoin } from "../support/total-coin.ts";
import { AcknowledgedLoad } from "./acknowledged-load.ts";

const HELD_REPLICAS = join(import.meta.dirname, "held-replicas.ts");
const SVS = ["sv-1", "sv-2", "sv-3", "sv-4"] as const;
/** Replicas that lag keep four SVs from a quorum if they are two. */
const LEAST_LAGGING = 2;
/** In dollars, and the price of a name in coin. */
const TAPPED = "1000.0";
const PRICE = 200n * 10n ** 10n;

const GO_ON_MILLISECONDS = 60_000;

const atEnd = atEndOfFile();
const random = new Random(seed);
let network: SmallNetwork;
let svs: Child;
let load: AcknowledgedLoad;
let coin = 0n;
/** Roles other than the SVs whose process has ended. */
const ended: string[] = [];

beforeAll(async () => {
  network = await SmallNetwork.make(atEnd);
  atEnd(() => svs.kill());
  startSvs();
  for (const role of ["participant", "validator"] as const)
    void network.start(role).ended.then(() => ended.push(role));
  await ready();
  const body = { partyIdHint: "load", userId: "ledger-api-user" };
  load = new AcknowledgedLoad(network, (await network.ledger.allocateParty({ body })).partyDetails.party);
  await network.wallet("alice").tap({ body: { amount: TAPPED } });
  coin = await totalCoin(network.wallet("alice"));
});

const heldFile = () => join(network.folder, "held");

function startSvs(): void {
  svs = new Child(HELD_REPLICAS, heldFile(), "sv", ...network.options("sv"));
}

async function ready(): Promise<void> {
  for (const role of ["sv", "participant", "validator"] as const)
    await network.ready(role).catch((cause: unknown) => {
      throw new Error(`the SVs say: ${svs.errors.slice(-2000)}`, { cause });
    });
}

/** Kills all SVs behind some acknowledged commands and names. Resolves with the participant's offset. */
async function killSvs(): Promise<number> {
  await load.acknowledges({ commands: random.between(20, 60), names: random.between(1, 2) });
  await svs.kill();
  return (await network.ledger.getLedgerEnd()).offset;
}

test("nothing that was acknowledged before all SVs are killed is lost, and the participant goes on without a restart", async () => {
  load.start();
  const offset = await killSvs();
  const before = await network.updatesUpTo(offset);
  startSvs();
  await expectToGoOn();
  expect(await network.updatesUpTo(offset)).toEqual(before);
});

test.each([
  { replicas: "that are empty", change: emptyReplica },
  { replicas: "of an earlier time", change: restoreReplica },
])(
  "a participant that is ahead of replicas $replicas waits for them, answers meanwhile, and does not fork",
  async ({ change }) => {
    load.start();
    const offset = await killSvs();
    const before = await network.updatesUpTo(offset);
    for (const sv of SVS) keepReplica(sv);
    for (const sv of random.shuffle(SVS).slice(0, random.between(LEAST_LAGGING, SVS.length))) change(sv);
    writeFileSync(heldFile(), "");
    startSvs();
    await expectReplicasBehind();
    await expectParticipantAhead(offset);
    const acknowledged = load.commands.length;
    expect(await network.updatesUpTo(offset)).toEqual(before);
    expect(load.commands).toHaveLength(acknowledged);
    rmSync(heldFile());
    await expectToGoOn();
    expect(await network.updatesUpTo(offset)).toEqual(before);
  },
);

/** The first copy stays. */
function keepReplica(sv: string): void {
  if (!existsSync(keptFolder(sv))) copyReplica(replicaFolder(sv), keptFolder(sv));
}

function restoreReplica(sv: string): void {
  emptyReplica(sv);
  copyReplica(keptFolder(sv), replicaFolder(sv));
}

function emptyReplica(sv: string): void {
  for (const file of replicaFiles(replicaFolder(sv))) rmSync(join(replicaFolder(sv), file));
}

function copyReplica(from: string, to: string): void {
  for (const file of replicaFiles(from)) cpSync(join(from, file), join(to, file));
}

function replicaFiles(folder: string): readonly string[] {
  return readdirSync(folder).filter((file) => file.startsWith("replica.db"));
}

function replicaFolder(sv: string): string {
  return join(network.dataFolder("sv"), sv);
}

function keptFolder(sv: string): string {
  return join(network.folder, "kept", sv);
}

/** An SV says that its replica is behind the log. */
async function expectReplicasBehind(): Promise<void> {
  const [, position, goal] = await hear("sv", /stands at entry (\d+) of (\d+)/);
  expect(Number(position)).toBeLessThan(Number(goal));
}

/** The participant says that its stream ends earlier at the sequencers, or that they do not know it yet. */
async function expectParticipantAhead(offset: number): Promise<void> {
  const behind = /the store stands at offset (?<store>\d+) .* stream ends at offset (?<end>\d+)/;
  const unknown = /does not know \S+, though the store has its stream up to offset (?<store>\d+)/;
  const unfounded = /The network is not founded yet/;
  const said = await hear(
    "participant",
    new RegExp([behind, unknown, unfounded].map((each) => each.source).join("|")),
  );
  const { store = offset, end = 0 } = said.groups ?? {};
  expect(Number(store)).toBeGreaterThanOrEqual(offset);
  expect(Number(end)).toBeLessThan(offset);
}

/** Resolves once the role says such a text of what keeps it from being ready. */
async function hear(role: "sv" | "participant", text: RegExp): Promise<RegExpExecArray> {
  let found: RegExpExecArray | null = null;
  await until(async () => {
    found = text.exec((await network.missing(role)) ?? "");
    return found !== null;
  }, `the ${role} says ${text}`);
  return found as unknown as RegExpExecArray;
}

async function expectToGoOn(): Promise<void> {
  const waiting = AbortSignal.timeout(GO_ON_MILLISECONDS);
  const late = new Promise<never>((_, reject) => {
    waiting.onabort = () => reject(new Error("nothing is acknowledged"));
  });
  await Promise.race([load.acknowledges({ commands: 10, names: 1 }), late]).catch(async (cause: unknown) => {
    throw new Error(`the participant says: ${await network.missing("participant")}`, { cause });
  });
  await load.stop();
  await ready();
  expect(ended).toEqual([]);
  await expectCommands();
  await expectNames();
  const isOne = async () => new Set(await headsOfSvs()).size === 1;
  await until(isOne, "the SVs agree");
}

/** Each acknowledged command is where the participant said, and no command is there twice. */
async function expectCommands(): Promise<void> {
  const { offset: end } = await network.ledger.getLedgerEnd();
  const found = (await network.updatesUpTo(end)).flatMap(({ update }) =>
    "Transaction" in update ? [update.Transaction.value] : [],
  );
  const byOffset = new Map(found.map(({ offset, updateId, commandId }) => [offset, { updateId, commandId }]));
  const lost = load.commands.filter(({ offset, updateId, commandId }) => {
    const there = byOffset.get(offset);
    return there?.updateId !== updateId || there.commandId !== commandId;
  });
  expect(lost).toEqual([]);
  const ids = found.map(({ commandId }) => commandId).filter((id) => id !== "");
  expect(ids).toHaveLength(new Set(ids).size);
}

/** Each acknowledged name is the buyer's at every scan, and the coin that is gone is the price of the names. */
async function expectNames(): Promise<void> {
  const wallet = network.wallet("alice");
  const { party_id: owner } = await wallet.userStatus();
  for (const { ports } of svValues()) {
    const scan = createClient(scanApi, { fetch, baseUrl: `http://127.0.0.1:${ports.scan}/api/scan` });
    for (const name of load.names) {
      const ownerOf = () =>
        scan.lookupAnsEntryByName({ params: { name } }).then(
          ({ entry }) => entry.user,
          () => undefined,
        );
      await expect.poll(ownerOf, { interval: 20 }).toBe(owner);
    }
  }
  const spent = async () => {
    const { entries } = await wallet.listAnsEntries();
    return (await totalCoin(wallet)) + BigInt(entries.length) * PRICE;
  };
  await expect.poll(spent, { interval: 20 }).toBe(coin);
}

interface SvValues {
  readonly ports: Readonly<Record<"scan" | "sequencer", number>>;
}

function svValues(): readonly SvValues[] {
  const [, file = ""] = network.options("sv");
  return (parse(readFileSync(file, "utf8")) as { readonly svs: readonly SvValues[] }).svs;
}

function headsOfSvs(): Promise<readonly string[]> {
  const headOf = async ({ ports }: SvValues) => {
    const baseUrl = `http://127.0.0.1:${ports.sequencer}`;
    const { sequence, digest } = await createClient(sequencerApi, { fetch, baseUrl }).getNetwork();
    return `${sequence} ${digest}`;
  };
  return Promise.all(svValues().map(headOf));
}
