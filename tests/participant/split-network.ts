/**
 * A network of four SVs whose ordering engine shows two histories, with one SV that lies: it runs a node on each history with
 * the same keys, and shows every participant the history that it likes. Two honest participants are connected to all four.
 */
import { systemHost } from "@callsign/node";
import {
  addDuration,
  createCommand,
  type PartyId,
  RenewalPreference,
} from "../../packages/ledger/src/index.ts";
import {
  identityOf,
  type MemberIdentity,
  readIdentityFile,
  signEntry,
} from "../../packages/node/src/identity/member-identity.ts";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { signFounding } from "../../packages/sv/src/founding/sign-founding.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import type { Peer } from "../../packages/synchronizer/src/peers/peer.ts";
import { ProcessPeers } from "../../packages/synchronizer/src/peers/process-peers.ts";
import { beforeSequencer, type FaultySequencer } from "../support/faulty-sequencer.ts";
import {
  type Actor,
  newActor,
  newParticipant,
  ready,
  type TestParticipant,
} from "../support/participants.ts";
import { identityNamed, openSvNode } from "../support/sv-nodes.ts";
import { adminClient } from "./admin-client.ts";
import { everythingOf, preferenceOf } from "./preferences.ts";
import { type Side, TwoFacedLog } from "./two-faced-log.ts";

const MINUTE = 60_000_000n;
const patience = () => AbortSignal.timeout(60_000);

/** By the SVs' ranks. */
export interface Split {
  /** The histories that the engine shows the honest SVs; the liar's own is of no importance. */
  readonly shown: readonly [Side, Side, Side, Side];
  /** Null: all are honest. */
  readonly liar: number | null;
  /** The histories that the liar shows the two participants first. */
  readonly told: readonly [Side, Side];
}

/** A participant with its connections to the SVs, which can be slow. */
export interface Follower {
  readonly participant: TestParticipant;
  readonly actor: Actor;
  readonly identity: MemberIdentity;
  /** By rank. */
  readonly connections: readonly FaultySequencer[];
  /** The end of its stream before the histories differ. */
  readonly common: number;
}

export class SplitNetwork {
  readonly split: Split;
  readonly followers: readonly [Follower, Follower];
  /** By rank; the liar has a node on each side. */
  readonly #nodes: readonly (readonly [SvNode, SvNode])[];

  private constructor(
    split: Split,
    nodes: readonly (readonly [SvNode, SvNode])[],
    followers: readonly [Follower, Follower],
  ) {
    this.split = split;
    this.#nodes = nodes;
    this.followers = followers;
  }

  /** Everything is common until both participants have a party; then the engine splits. */
  static async start(split: Split, atEnd: AtEnd): Promise<SplitNetwork> {
    const log = new TwoFacedLog();
    atEnd(() => log.close());
    const nodes = await openNodes(split, log, atEnd);
    const urlsOn = (side: Side) => nodes.map((node) => node[side].sequencerUrl);
    const first = await connect(urlsOn(split.told[0]), "first", atEnd);
    const second = await connect(urlsOn(split.told[1]), "second", atEnd);
    await log.split();
    const end = (await log.sides[0].head()).sequence;
    for (const node of nodes.flat()) await node.replica.reach(end, patience());
    const withEnd = (follower: Omit<Follower, "common">): Follower => {
      const common = nodes[0]?.[0].streamEnd(follower.participant.participantId) ?? 0;
      return { ...follower, common };
    };
    return new SplitNetwork(split, nodes, [withEnd(first), withEnd(second)]);
  }

  /** The ranks of the honest SVs on a side. */
  honestOn(side: Side): readonly number[] {
    const { shown, liar } = this.split;
    return [0, 1, 2, 3].filter((rank) => rank !== liar && shown[rank] === side);
  }

  /** An honest SV on that side. */
  svOn(side: Side): SvNode {
    const node = this.#nodes[this.honestOn(side)[0] ?? -1]?.[side];
    if (node === undefined) throw new Error(`no honest SV is shown history ${side}`);
    return node;
  }

  /** From now on the liar shows this participant that history. */
  lie({ connections }: Follower, side: Side): void {
    const { liar } = this.split;
    if (liar !== null) connections[liar]?.moveTo(this.#nodes[liar]?.[side].sequencerUrl ?? "");
  }

  /** Appends an entry to one history that both participants see, and waits until all SVs of that side have applied it. */
  async append(side: Side): Promise<void> {
    const [{ identity, actor }, other] = this.followers;
    const { submit, now, replica } = this.svOn(side);
    const id = crypto.randomUUID();
    const preference = preferenceOf(actor.party, other.actor.party) as unknown as RenewalPreference;
    const value = {
      ...{ network: replica.state.network?.id ?? "", member: identity.id, submissionId: id, commandId: id },
      ...{ userId: "alice", workflowId: "", maxRecordTime: addDuration(now(), MINUTE) },
      ...{ actAs: [actor.party as PartyId], readAs: [], deduplicateFrom: null, minLedgerTime: null },
      ...{ commands: [createCommand(RenewalPreference, preference)], disclosed: [] },
    };
    const sequence = await submit(signEntry({ tag: "Submit", value }, [identity.signingKey]));
    const { liar } = this.split;
    for (const [rank, both] of this.#nodes.entries()) {
      if (rank !== liar && this.split.shown[rank] !== side) continue;
      await both[side].replica.reach(sequence, patience());
    }
  }
}

/** The transactions that the participant has accepted since the histories differ. */
export async function acceptedBy({ participant, actor, common }: Follower): Promise<readonly string[]> {
  const { offset: endInclusive } = await actor.client.getLedgerEnd();
  const includeTransactions = {
    eventFormat: everythingOf(actor.party),
    transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" as const,
  };
  const body = { beginExclusive: common, endInclusive, updateFormat: { includeTransactions } };
  if (endInclusive <= common) return [];
  const updates = await participant.as(actor.user).listUpdates({ query: { limit: 200n }, body });
  return updates.flatMap(({ update }) =>
    "Transaction" in update ? [update.Transaction.value.updateId] : [],
  );
}

/** The number of SVs that must say the same from now on; null: a quorum. */
export async function setThreshold(follower: Follower, threshold: number | null): Promise<void> {
  const urls = follower.connections.map(({ url }) => url);
  await adminClient(follower.participant.url).setSequencerConnections({ body: { urls, threshold } });
}

async function openNodes({ shown, liar }: Split, log: TwoFacedLog, atEnd: AtEnd) {
  const peers = [new ProcessPeers(), new ProcessPeers()] as const;
  const names = [0, 1, 2, 3].map((rank) => `sv-${rank + 1}`);
  const liarId = liar === null ? null : identityNamed(names[liar] ?? "").id;
  introduce(peers[0], peers[1], liarId);
  introduce(peers[1], peers[0], liarId);
  const open = async (rank: number, side: Side) => {
    const name = names[rank] ?? "";
    const node = await openSvNode({
      ...{ dataFolder: temporaryFolder(atEnd), name, identity: identityNamed(name), rank },
      ...{ orderedLog: log.sides[side], peers: peers[side] },
    });
    atEnd(() => node.close());
    return node;
  };
  const nodes = await Promise.all(
    shown.map(async (side, rank): Promise<readonly [SvNode, SvNode]> => {
      if (rank === liar) return [await open(rank, 0), await open(rank, 1)];
      const node = await open(rank, side);
      return [node, node];
    }),
  );
  const founders = nodes.map(([{ identity }]) => ({ identity }));
  const founding = signFounding({ svs: founders, movableClock: true, isDevNet: true });
  const sequence = await nodes[0]?.[0].submit(founding);
  for (const node of nodes.flat()) await node.replica.reach(sequence ?? 0, patience());
  return nodes;
}

/** Honest SVs of both sides hear of each other. The liar's node of one side is unknown on the other. */
function introduce(known: ProcessPeers, others: ProcessPeers, liar: string | null): void {
  const introduced = new Set<Peer>();
  known.watch((peers) => {
    for (const peer of peers) {
      if (peer.id === liar || introduced.has(peer)) continue;
      introduced.add(peer);
      others.join(peer);
    }
  });
}

async function connect(
  urls: readonly string[],
  name: string,
  atEnd: AtEnd,
): Promise<Omit<Follower, "common">> {
  const connections = await Promise.all(urls.map((url) => beforeSequencer(url, atEnd)));
  const dataFolder = temporaryFolder(atEnd);
  const participant = await newParticipant(
    connections.map(({ url }) => url),
    { dataFolder, nodeIdentifier: name },
    atEnd,
  );
  await ready(participant);
  const actor = await newActor(participant, "alice");
  const stored = readIdentityFile(dataFolder, systemHost.files);
  if (stored === null) throw new Error("the participant has no identity");
  return { participant, actor, identity: identityOf(stored), connections };
}
