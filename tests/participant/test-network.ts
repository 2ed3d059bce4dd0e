/** SV nodes with real logs, replicas and sequencers over HTTP, and participants on them; gone when the test is. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { afterAll, onTestFinished } from "vitest";
import { type Client, createClient, ledgerApi } from "../../packages/api/src/index.ts";
import type { AnyTemplateDeclaration, Contract, Time } from "../../packages/ledger/src/index.ts";
import { loadMemberIdentity } from "../../packages/node/src/identity/member-identity.ts";
import { SignatureChecks } from "../../packages/node/src/identity/signature-checks.ts";
import { createLog, type Log } from "../../packages/node/src/observability/log.ts";
import {
  type Participant,
  type ParticipantConfig,
  startParticipant,
} from "../../packages/participant/src/start-participant.ts";
import { foundNetwork, type NetworkFounding, svPartyOf } from "../../packages/sv/src/found-network.ts";
import { type SvNode, startSvNode } from "../../packages/sv/src/sv-node.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";

export const SECRET = "unsafe";
export const AUDIENCE = "https://ledger_api.example.com";
export const ADMIN = "ledger-api-user";

export function testLog(): Log {
  return createLog({ level: process.env["CALLSIGN_LOG"] === "1" ? "debug" : "silent" });
}

/** Takes what is to be done at the end. */
export type AtEnd = (close: () => void | Promise<void>) => void;

/** For what a whole file shares: called where the file is read, it closes in the opposite order. */
export function atEndOfFile(): AtEnd {
  const closing: (() => void | Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  return (close) => closing.push(close);
}

export function newFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "callsign-participant-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface TestNetwork {
  readonly svs: readonly SvNode[];
  readonly sequencers: readonly string[];
  /** The active contracts of a template, whoever signed them, as the first SV has them. */
  readonly list: (template: AnyTemplateDeclaration) => readonly Contract[];
}

/** Every contract that there is from now on, until it is archived. */
function watchContracts({ replica }: SvNode): ReadonlyMap<string, Contract> {
  const active = new Map<string, Contract>();
  replica.onApplied((outcomes) => {
    for (const { created, archived } of outcomes) {
      for (const { contract } of created) active.set(contract.contractId, contract);
      for (const { contractId } of archived) active.delete(contractId);
    }
  });
  return active;
}

export async function foundTestNetwork(
  count = 1,
  atEnd: AtEnd = onTestFinished,
  terms: Partial<NetworkFounding> = {},
): Promise<TestNetwork> {
  const folder = newFolder(atEnd);
  const orderedLog = new SqliteLog(join(folder, "log.sqlite"));
  atEnd(() => orderedLog.close());
  const svs: SvNode[] = [];
  let contracts: ReadonlyMap<string, Contract> = new Map();
  const founders = Array.from({ length: count }, (_, i) => ({
    identity: loadMemberIdentity(join(folder, `sv-${i + 1}`), `sv-${i + 1}`),
  }));
  for (const [rank, founder] of founders.entries()) {
    const node = await startSvNode({
      dataFolder: join(folder, `sv-${rank + 1}`),
      identity: founder.identity,
      name: `sv-${rank + 1}`,
      user: "sv",
      party: svPartyOf(founder),
      orderedLog,
      clock: () => (BigInt(Date.now()) * 1000n) as Time,
      checks: new SignatureChecks(),
      host: "127.0.0.1",
      ports: { scan: 0, sequencer: 0, app: 0 },
      scans: [],
      rank,
      log: testLog(),
    });
    atEnd(() => node.close());
    svs.push(node);
    if (rank === 0) contracts = watchContracts(node);
  }
  const founding = foundNetwork({ svs: founders, movableClock: true, isDevNet: true, ...terms });
  const sequence = await svs[0]?.submit(founding);
  for (const { replica } of svs) await replica.reach(sequence ?? 0, AbortSignal.timeout(10_000));
  const list = ({ id }: AnyTemplateDeclaration) =>
    [...contracts.values()].filter(({ templateId }) => templateId === id);
  return { svs, sequencers: svs.map(({ sequencerUrl }) => sequencerUrl), list };
}

export function tokenFor(user: string, claims: Record<string, unknown> = {}): Promise<string> {
  return new SignJWT({ sub: user, aud: AUDIENCE, ...claims })
    .setProtectedHeader({ alg: "HS256" })
    .sign(new TextEncoder().encode(SECRET));
}

export type LedgerClient = Client<typeof ledgerApi.endpoints>;

export function ledgerClient(url: string, user: string | null): LedgerClient {
  return createClient(ledgerApi, {
    fetch: (address, init) => fetch(address, init),
    baseUrl: url,
    ...(user === null ? {} : { token: () => tokenFor(user) }),
  });
}

export interface TestParticipant extends Participant {
  readonly admin: LedgerClient;
  readonly as: (user: string | null) => LedgerClient;
}

/** Listening; `ready` waits until it follows the network. */
export async function newParticipant(
  sequencers: readonly string[],
  options: Partial<ParticipantConfig> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<TestParticipant> {
  const participant = await startParticipant({
    dataFolder: options.dataFolder ?? newFolder(atEnd),
    nodeIdentifier: "participant",
    sequencers,
    host: "127.0.0.1",
    port: 0,
    auth: { kind: "hs256", secret: SECRET, audience: AUDIENCE },
    adminUsers: [ADMIN],
    log: testLog(),
    ...options,
  });
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= participant.close();
    return closing;
  };
  atEnd(close);
  const as = (user: string | null) => ledgerClient(participant.url, user);
  return { ...participant, close, as, admin: as(ADMIN) };
}

export async function ready(participant: Participant, milliseconds = 10_000): Promise<void> {
  await until(() => participant.isReady(), "the participant is ready", milliseconds);
}

/** A participant that is ready, on a network of its own with one SV. */
export async function readyParticipant(
  options: Partial<ParticipantConfig> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<TestParticipant> {
  const { sequencers } = await foundTestNetwork(1, atEnd);
  const participant = await newParticipant(sequencers, options, atEnd);
  await ready(participant);
  return participant;
}

export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  milliseconds = 10_000,
): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`it took too long until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A party, and a user of that name who may act as it. */
export interface Actor {
  readonly party: string;
  readonly user: string;
  readonly client: LedgerClient;
}

export async function newActor(participant: TestParticipant, name: string): Promise<Actor> {
  await participant.admin.createUser({ body: { user: { id: name }, rights: [] } });
  const { partyDetails } = await participant.admin.allocateParty({
    body: { partyIdHint: name, userId: name },
  });
  return { party: partyDetails.party, user: name, client: participant.as(name) };
}
