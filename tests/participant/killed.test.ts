/**
 * Killed in the middle of its work, again and again: what it acknowledged is there, everything is there once, offsets
 * are dense, and a reader who goes on where the last stream broke off misses nothing and sees nothing twice.
 */
import { expect, onTestFinished, test } from "vitest";
import {
  formatWebsocketProtocols,
  HttpError,
  TransportError,
  type Update,
} from "../../packages/api/src/index.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import {
  ADMIN,
  AUDIENCE,
  type LedgerClient,
  ledgerClient,
  SECRET,
  tokenFor,
} from "../support/participants.ts";
import { chosenStore, type StoreKind, storeIn, TESTED_STORES } from "../support/postgres.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { type ParticipantProcess, spawnParticipant } from "./participant-process.ts";
import { createPreference, everythingOf } from "./preferences.ts";

const WHOLE = { kills: 6, svs: 4 };
/** `npm run test:long` chooses PostgreSQL: then that gets the whole load. */
const LOADS = {
  SQLite: WHOLE,
  PostgreSQL: chosenStore === "PostgreSQL" ? WHOLE : { kills: 1, svs: 1 },
} satisfies Readonly<Record<StoreKind, object>>;
const SUBMITTERS = 6;
const PATCHERS = 4;
const KEY = "local_metadata.annotations";

/** The target of calls while the participant is killed and restarted: its present URL, or null. */
class Target {
  url: string | null = null;
  isOver = false;

  /** Undefined where nobody knows what became of it. */
  async attempt<T>(user: string, work: (client: LedgerClient) => Promise<T>): Promise<T | undefined> {
    await until(() => this.url !== null, "the participant is back");
    try {
      return await work(ledgerClient(this.url ?? "", user));
    } catch (error) {
      if (error instanceof TransportError || (error instanceof HttpError && error.status >= 500))
        return undefined;
      throw error;
    }
  }
}

/** Follows the updates over websockets, each from where the one before it ended. */
class Follower {
  readonly offsets: number[] = [];
  readonly #target: Target;
  readonly #party: string;

  constructor(target: Target, party: string) {
    this.#target = target;
    this.#party = party;
  }

  async run(): Promise<void> {
    while (!this.#target.isOver) {
      await until(() => this.#target.url !== null || this.#target.isOver, "the participant is back");
      if (!this.#target.isOver) await this.#follow();
    }
  }

  async #follow(): Promise<void> {
    const token = await tokenFor("alice");
    const address = `${this.#target.url?.replace("http", "ws")}/v2/updates`;
    const socket = new WebSocket(address, formatWebsocketProtocols(token));
    await new Promise<void>((resolve) => {
      socket.onopen = () => socket.send(JSON.stringify(this.#request()));
      socket.onmessage = ({ data }) => {
        const { update } = JSON.parse(String(data)) as Update;
        if ("Transaction" in update) this.offsets.push(update.Transaction.value.offset);
        if (this.#target.isOver) socket.close();
      };
      socket.onerror = () => resolve();
      socket.onclose = () => resolve();
      const over = setInterval(() => this.#target.isOver && socket.close(), 50);
      onTestFinished(() => clearInterval(over));
    });
  }

  #request() {
    const eventFormat = everythingOf(this.#party);
    const includeTransactions = { eventFormat, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" };
    return { beginExclusive: this.offsets.at(-1) ?? 0, updateFormat: { includeTransactions } };
  }
}

async function submitOn(
  target: Target,
  party: string,
  who: number,
  acknowledged: Set<string>,
): Promise<void> {
  for (let i = 0; !target.isOver; i++) {
    const commandId = `kill-${who}-${i}`;
    const body = createPreference(party, { commandId });
    if (await target.attempt("alice", (client) => client.submitAndWait({ body })))
      acknowledged.add(commandId);
  }
}

/** Counts up an annotation of its own; answers the last count that was acknowledged, and the last that was tried. */
async function patchOn(target: Target, party: string, key: string) {
  let acknowledged = 0;
  let tried = 0;
  while (!target.isOver) {
    const localMetadata = { resourceVersion: "", annotations: { [key]: `${++tried}` } };
    const body = { partyDetails: { party, localMetadata }, updateMask: { paths: [KEY] } };
    const answer = await target.attempt(ADMIN, (client) =>
      client.updatePartyDetails({ params: { party }, body }),
    );
    if (answer !== undefined) acknowledged = tried;
  }
  return { key, acknowledged, tried };
}

async function makeUsersOn(target: Target, party: string, acknowledged: string[]): Promise<void> {
  const rights = [{ kind: { CanReadAs: { value: { party } } } }];
  for (let i = 0; !target.isOver; i++) {
    const id = `made-${i}`;
    const made = await target.attempt(ADMIN, (client) =>
      client.createUser({ body: { user: { id }, rights } }),
    );
    if (made !== undefined) acknowledged.push(id);
  }
}

async function listTransactions(client: LedgerClient, party: string) {
  const { offset: endInclusive } = await client.getLedgerEnd();
  const includeTransactions = {
    eventFormat: everythingOf(party),
    transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" as const,
  };
  const found: { offset: number; commandId: string; updateId: string }[] = [];
  for (let beginExclusive = 0; beginExclusive < endInclusive; ) {
    const page = await client.listUpdates({
      query: { limit: 200n },
      body: { beginExclusive, endInclusive, updateFormat: { includeTransactions } },
    });
    const values = page.flatMap(({ update }) => ("Transaction" in update ? [update.Transaction.value] : []));
    found.push(...values);
    beginExclusive = values.length < 200 ? endInclusive : (values.at(-1)?.offset ?? endInclusive);
  }
  return found;
}

test.for(TESTED_STORES)(
  "killed several times under load, on %s",
  { timeout: 300_000 },
  async (kind, context) => {
    const { kills, svs } = LOADS[kind];
    const { sequencers } = await startSvNodes(svs);
    const auth = { kind: "hs256", secret: SECRET, audience: AUDIENCE } as const;
    const dataFolder = temporaryFolder();
    const store = await storeIn(dataFolder, kind, context);
    const config = { dataFolder, ...store, sequencers, auth, adminUsers: [ADMIN] };
    let running: ParticipantProcess = await spawnParticipant(config);
    onTestFinished(() => running.kill());
    const admin = ledgerClient(running.url, ADMIN);
    await admin.createUser({ body: { user: { id: "alice" }, rights: [] } });
    const { partyDetails } = await admin.allocateParty({ body: { partyIdHint: "alice", userId: "alice" } });
    const { party } = partyDetails;
    const target = new Target();
    target.url = running.url;
    const follower = new Follower(target, party);
    const following = follower.run();
    const commands = new Set<string>();
    const users: string[] = [];
    const submitting = Array.from({ length: SUBMITTERS }, (_, who) => submitOn(target, party, who, commands));
    const patching = Array.from({ length: PATCHERS }, (_, who) => patchOn(target, party, `key-${who}`));
    const making = makeUsersOn(target, party, users);
    for (let kill = 0; kill < kills; kill++) {
      const goal = commands.size + 20 + 13 * kill;
      await until(() => commands.size >= goal, "enough was acknowledged");
      target.url = null;
      await running.kill();
      running = await spawnParticipant(config);
      target.url = running.url;
    }
    const goal = commands.size + 20;
    await until(() => commands.size >= goal, "it works on");
    target.isOver = true;
    await Promise.all([...submitting, making]);
    const counts = await Promise.all(patching);

    const client = ledgerClient(running.url, "alice");
    const transactions = await listTransactions(client, party);
    const seen = transactions.map(({ commandId }) => commandId);
    expect([...commands].filter((id) => !seen.includes(id))).toEqual([]);
    expect(new Set(seen).size).toBe(seen.length);
    expect(new Set(transactions.map(({ updateId }) => updateId)).size).toBe(seen.length);
    const last = follower.offsets.at(-1) ?? 0;
    expect(follower.offsets).toEqual(
      transactions.map(({ offset }) => offset).filter((offset) => offset <= last),
    );
    expect(follower.offsets.length).toBeGreaterThan(commands.size / 2);

    const {
      partyDetails: [details],
    } = await ledgerClient(running.url, ADMIN).getParties({ params: { party } });
    const { annotations = {}, resourceVersion } = details?.localMetadata ?? {};
    for (const { key, acknowledged, tried } of counts) {
      expect(Number(annotations[key])).toBeGreaterThanOrEqual(acknowledged);
      expect(Number(annotations[key])).toBeLessThanOrEqual(tried);
    }
    const changes = counts.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    expect(Number(resourceVersion)).toBeGreaterThanOrEqual(changes - kills * PATCHERS);
    for (const id of users) {
      const { rights } = await ledgerClient(running.url, ADMIN).listUserRights({ params: { "user-id": id } });
      expect(rights).toEqual([{ kind: { CanReadAs: { value: { party } } } }]);
    }
    await following;
  },
);
