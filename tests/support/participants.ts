/** Participants on the sequencers of SV nodes, their clients, and people with a party and a user of their own. */
import { onTestFinished } from "vitest";
import { type Client, createClient, ledgerApi } from "../../packages/api/src/index.ts";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import {
  type Participant,
  type ParticipantConfig,
  startParticipant,
} from "../../packages/participant/src/start-participant.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { storeIn } from "./postgres.ts";
import { signToken } from "./sign-token.ts";
import { startSvNodes, testLog } from "./sv-nodes.ts";

export const SECRET = "unsafe";
export const AUDIENCE = "https://ledger_api.example.com";
export const ADMIN = "ledger-api-user";

export function tokenFor(user: string, claims: Record<string, unknown> = {}): Promise<string> {
  return Promise.resolve(signToken({ sub: user, aud: AUDIENCE, ...claims }, { secret: SECRET }));
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
  const dataFolder = options.dataFolder ?? temporaryFolder(atEnd);
  const participant = await startParticipant({
    dataFolder,
    ...(await storeIn(dataFolder)),
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

export async function ready(participant: Participant, milliseconds = 60_000): Promise<void> {
  await until(() => participant.isReady(), "the participant is ready", milliseconds);
}

/** Everything that the first SV has applied is stored. */
export async function caughtUp(participant: Participant, svs: readonly SvNode[]): Promise<void> {
  const end = svs[0]?.streamEnd(participant.participantId) ?? 0;
  await participant.reach(end, AbortSignal.timeout(60_000));
}

/** A participant that is ready, on a network of its own with one SV. */
export async function readyParticipant(
  options: Partial<ParticipantConfig> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<TestParticipant> {
  const { sequencers } = await startSvNodes(1, atEnd);
  const participant = await newParticipant(sequencers, options, atEnd);
  await ready(participant);
  return participant;
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
