/**
 * A year in record time, a day at a time: names are bought, renewed and left to expire, coin goes to and fro, rewards are minted,
 * the SV votes, and members come. Behind a retention of 30 days nothing grows but what docs/operating.md states.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createClient, svApi } from "@callsign/api";
import { expect, test } from "vitest";
import { ActionRequiringConfirmation } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/confirmed-action.ts";
import {
  AnsEntry,
  AnsEntryContext,
  onDsoRules,
  type PartyId,
  type PayloadOf,
  SubscriptionIdleState,
  scanJson,
} from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { InstalledWallet, installation } from "../../packages/ledger/testing/wallet-actor.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { DaysNetwork } from "../support/days-network.ts";
import { storedTables, usedPageBytes } from "../support/stored-bytes.ts";
import { identityNamed } from "../support/sv-nodes.ts";
import { openWallet, svWallet } from "./days-wallet.ts";
import type { Wallet } from "./wallet.ts";

const MONTH_4 = 120;
const MONTH_12 = 360;
const YEAR = 365;
const KEPT = "kept.unverified.cns";
const TERMS = { entryLifetimeMicroseconds: 30n * DAY, renewalMicroseconds: 10n * DAY };
/** Numbers and times get longer, and stream items differ by some bytes. */
const SLACK = 0.05;
/** A round opens, closes and is summarized before it issues. */
const MOST_TICKS = 10;
/** Some contracts more or less are active, as rounds and coins that are minted: 20 bytes a day would be found. */
const SMALL_BYTES = 5000;
const OF_MEMBERS = ["member", "traffic", "hosting", "stream_hosting", "stream_start", "stream_member"];
const ROUND = "a round that opens";
const ROUND_END = "the end of a round, where scan has seen it open";
const REWARD = "rewards of one kind that a round mints";
const VOTE = "a result of a vote";
const NAME_DAY = "a day on which names change or expire";
const NAME_CHANGE = "a change of a name: registered, renewed, expired, refunded";
const UPDATE = "an update that the DSO sees, such as a transfer of coin or a step of a registration";
const UPDATE_TEXT = "its text, packed together with those of other updates of its moment";
const ACTIVITY = "an update with a transfer, tap or mint of coin, beside the update itself";
const MEMBER = "a member with a party";
const FRAME = "a user with the parties that it acts as, or a member, that submits more than once";

/** The column of bytes in the table of operating.md, by the first column. */
function statedBytes(): ReadonlyMap<string, number> {
  const page = readFileSync(join(import.meta.dirname, "../../docs/operating.md"), "utf8");
  const [, table = ""] = /\| kept for ever \| bytes \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(page) ?? [];
  const rows = table.matchAll(/^\| (.+?) \| ([\d,]+)/gm);
  return new Map([...rows].map(([, what = "", bytes = ""]) => [what, Number(bytes.replaceAll(",", ""))]));
}

class Year {
  readonly network: DaysNetwork;
  readonly alice: Wallet;
  readonly bob: InstalledWallet<Promise<unknown>>;
  members = 1;
  renewals = 0;

  private constructor(network: DaysNetwork, alice: Wallet, bob: InstalledWallet<Promise<unknown>>) {
    [this.network, this.alice, this.bob] = [network, alice, bob];
  }

  static async begin(): Promise<Year> {
    const config = { retentionMicroseconds: 30n * DAY, app: { auth: { kind: "none" } } } as const;
    const network = await DaysNetwork.found(1, { config, terms: TERMS });
    const alice = await openWallet(network, "alice");
    const { member } = alice;
    await alice.tap(decimal("10000.0"));
    const party = `bob::${identityNamed("alice-validator").namespace}` as PartyId;
    const hosting = { ...network.once(member.id), party, hosts: [member.id], serial: 1n };
    await network.append({ tag: "HostParty", value: hosting }, [member.signingKey]);
    const install = await network.submit(member, installation(network, member, party));
    await alice.buy(KEPT);
    return new Year(network, alice, new InstalledWallet(network, member, { party, install }));
  }

  get sv(): SvNode {
    return this.network.svs[0] as SvNode;
  }

  async passDay(day: number): Promise<void> {
    const { network, alice } = this;
    await network.passDay();
    await network.settle();
    await alice.tap(decimal("300.0"));
    await alice.buy(`day-${day}.unverified.cns`);
    await this.#transfer(day);
    await this.#renewKept();
    if (day % 7 === 0) await this.#addMember(day);
    if (day % 50 === 0) await this.#vote(day);
    if (day % 100 === 0) await this.#mint();
    await network.settle();
  }

  async #transfer(day: number): Promise<void> {
    const [from, to] = day % 2 === 0 ? [this.alice, this.bob] : [this.bob, this.alice];
    if (from.coins().length === 0) return;
    const output = { receiver: to.party, receiverFeeRatio: 0n as never, amount: decimal("1.0"), lock: null };
    await from.transfer([output]);
  }

  async #renewKept(): Promise<void> {
    const { network, alice } = this;
    const entry = network.active(AnsEntry).find(({ payload }) => payload.name === KEPT);
    if (entry === undefined) throw new Error(`${KEPT} has lapsed`);
    if (entry.payload.expiresAt - network.now > 5n * DAY) return;
    const idle = network
      .active(SubscriptionIdleState)
      .find(({ payload }) => endsWith(payload, entry.payload));
    if (idle === undefined) throw new Error(`${KEPT} has no subscription`);
    await InstalledWallet.prototype.payRenewal.call(alice, idle.contractId);
    this.renewals++;
  }

  async #addMember(day: number): Promise<void> {
    const { network } = this;
    const { id, namespace, nodeIdentifier, namespaceKey, signingKey } = identityNamed(`member-${day}`);
    const keys = { namespaceKey: namespaceKey.publicKey, signingKeys: [signingKey.publicKey] };
    const value = { ...network.once(id), nodeIdentifier, ...keys };
    await network.append({ tag: "RegisterMember", value }, [namespaceKey, signingKey]);
    const hosting = { ...network.once(id), party: `carol::${namespace}` as PartyId, hosts: [id], serial: 1n };
    await network.append({ tag: "HostParty", value: hosting }, [signingKey]);
    this.members++;
  }

  async #vote(day: number): Promise<void> {
    const svParty = `sv-1::${this.sv.identity.namespace}` as PartyId;
    const newRewardWeight = BigInt(10_000 + day);
    const action = onDsoRules({ tag: "SRARC_UpdateSvRewardWeight", value: { svParty, newRewardWeight } });
    const app = createClient(svApi, { fetch, baseUrl: `${this.sv.appUrl}/api/sv` });
    await app.createVoteRequest({
      body: {
        ...{ requester: svParty, url: "https://example.com", description: `weight of day ${day}` },
        action: ActionRequiringConfirmation.toJson(action, scanJson) as Record<string, never>,
        expiration: { microseconds: "3600000000" },
      },
    });
  }

  /** A round issues rewards for two ticks alone. */
  async #mint(): Promise<void> {
    const { network } = this;
    const wallet = svWallet(network);
    for (let tick = 0; tick < MOST_TICKS && wallet.rewards().length === 0; tick++) {
      await network.pass(10n * MINUTE);
      await network.settle();
    }
    await wallet.mint();
  }

  measure() {
    const { network, sv } = this;
    const { database } = sv.replica.state;
    return {
      tables: storedTables(database),
      replicaBytes: usedPageBytes(database),
      logBytes: statSync(join(network.folder, "log.db")).size,
      snapshotBytes: statSync(join(network.folderOf(0), `snapshot-${this.proven}.db`)).size,
      active: network.countActive(),
      members: this.members,
      voteCharacters: this.#sum("length(result)", "vote_result"),
      lastItemCharacters: this.#sum("length(body)", "stream_start"),
    };
  }

  #sum(expression: string, table: string): number {
    const { database } = this.sv.replica.state;
    return Number(database.prepare(`select sum(${expression}) as sum from ${table}`).get()?.["sum"] ?? 0);
  }

  get proven(): number {
    return this.sv.snapshots.proven()?.manifest.head.sequence ?? 0;
  }
}

function endsWith(
  { nextPaymentDueAt }: PayloadOf<typeof SubscriptionIdleState>,
  { expiresAt }: PayloadOf<typeof AnsEntry>,
): boolean {
  return nextPaymentDueAt === expiresAt;
}

type Measured = ReturnType<Year["measure"]>;

/** Compares tables one by one. Returns the bytes by which the year's history may have grown. */
function expectStatedGrowth(before: Measured, after: Measured): number {
  const stated = statedBytes();
  const grownBy = (table: string, of: "bytes" | "rows") =>
    (after.tables.get(table)?.[of] ?? 0) - (before.tables.get(table)?.[of] ?? 0);
  const votes = after.voteCharacters - before.voteCharacters;
  const allowed: Readonly<Record<string, number>> = {
    opened_round: grownBy("opened_round", "rows") * (stated.get(ROUND) ?? 0),
    seen_round: grownBy("seen_round", "rows") * (stated.get(ROUND_END) ?? 0),
    minted_reward: grownBy("minted_reward", "rows") * (stated.get(REWARD) ?? 0),
    name_day: grownBy("name_day", "rows") * (stated.get(NAME_DAY) ?? 0),
    name_change: grownBy("name_change", "rows") * (stated.get(NAME_CHANGE) ?? 0),
    update_history: grownBy("update_history", "rows") * (stated.get(UPDATE) ?? 0),
    update_block: grownBy("update_history", "rows") * (stated.get(UPDATE_TEXT) ?? 0),
    activity_update: grownBy("activity_update", "rows") * (stated.get(ACTIVITY) ?? 0),
    vote_result: grownBy("vote_result", "rows") * (stated.get(VOTE) ?? 0) + votes,
    key_frame: grownBy("key_frame", "rows") * (stated.get(FRAME) ?? 0),
  };
  for (const table of after.tables.keys()) {
    if (OF_MEMBERS.includes(table)) continue;
    const { bytes } = before.tables.get(table) ?? { bytes: 0 };
    const most = allowed[table] ?? bytes * SLACK + SMALL_BYTES;
    expect({ table, grownBy: Math.max(grownBy(table, "bytes"), most) }).toEqual({ table, grownBy: most });
  }
  for (const table of Object.keys(allowed))
    expect([table, grownBy(table, "rows") > 0]).toEqual([table, true]);
  const members = (after.members - before.members) * (stated.get(MEMBER) ?? 0);
  const lastItems = after.lastItemCharacters - before.lastItemCharacters;
  const ofMembers = OF_MEMBERS.reduce((sum, table) => sum + grownBy(table, "bytes"), 0);
  expect(ofMembers).toBeLessThanOrEqual(members + lastItems);
  return members + lastItems + Object.values(allowed).reduce((sum, bytes) => sum + bytes, 0);
}

test("log, streams and replica stay flat over a year, and history grows by its stated bytes", async () => {
  const year = await Year.begin();
  const measured: Measured[] = [];
  for (let day = 1; day <= YEAR; day++) {
    await year.passDay(day);
    await year.network.prune();
    if (day === MONTH_4 || day === MONTH_12) measured.push(year.measure());
  }
  const [before, after] = measured;
  if (before === undefined || after === undefined) throw new Error("nothing was measured");
  for (const { id } of [AnsEntry, SubscriptionIdleState, AnsEntryContext])
    expect([id, after.active[id]]).toEqual([id, before.active[id]]);
  expect(year.renewals).toBe(12);
  expect(after.logBytes).toBeLessThanOrEqual(before.logBytes * (1 + SLACK));
  const history = expectStatedGrowth(before, after);
  expect(after.replicaBytes).toBeLessThanOrEqual(before.replicaBytes * (1 + SLACK) + 2 * history);
  expect(after.snapshotBytes).toBeLessThanOrEqual(before.snapshotBytes * (1 + SLACK) + 2 * history);
});
