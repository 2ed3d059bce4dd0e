/** SVs of protocol version 4 without HTTP: each has a sequencer, a replica and a clock of its own, on one log. */
import { systemHost } from "@callsign/node";
import { onTestFinished } from "vitest";
import type { EntryContent } from "../../packages/ledger/src/transition/entry-content.ts";
import { addDuration, type Time, time } from "../../packages/ledger/src/values/time.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { type MemberIdentity, signEntry } from "../../packages/node/src/identity/member-identity.ts";
import { type NetworkFounding, signFounding } from "../../packages/sv/src/founding/sign-founding.ts";
import type { OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { Sequencer } from "../../packages/synchronizer/src/sequencer/sequencer.ts";
import { StampClock } from "../../packages/synchronizer/src/sequencer/stamp-clock.ts";
import { newTransition } from "../golden-log/replay-digests.ts";
import { identityNamed } from "../support/sv-nodes.ts";
import { openStreamReplica, type StreamReplica } from "./stream-replica.ts";

export const FOUNDED: Time = time("2026-01-01T00:00:00Z");

let ids = 0;

export class BackedSv {
  readonly identity: MemberIdentity;
  readonly node: StreamReplica;
  readonly sequencer: Sequencer;
  readonly stamps: StampClock;
  /** An SV that is down does not tick. */
  isDown = false;
  /** The error of the machine's clock. */
  skew = 0n;
  readonly #network: BackedNetwork;

  constructor(network: BackedNetwork, name: string) {
    this.#network = network;
    this.identity = identityNamed(name);
    this.node = openStreamReplica({ log: network.log, transition: newTransition() });
    const clock = () => this.clock;
    const { identity } = this;
    this.stamps = new StampClock({
      ...{ sv: identity.id, clock, replica: this.node.replica, host: systemHost },
      signingKey: () => identity.signingKey,
      askTicks: (signal) => network.askTicks(this, signal),
      onError: () => undefined,
    });
    this.sequencer = new Sequencer({ log: network.log, hash: sha256, clock, stamps: this.stamps });
  }

  get clock(): Time {
    return addDuration(this.#network.time, this.skew);
  }

  get recordTime(): Time {
    return this.node.replica.state.head.recordTime;
  }

  /** Resolves with its number once this SV has applied it. */
  async submit(content: EntryContent): Promise<number> {
    const sequence = await this.sequencer.submit(signEntry(content, [this.identity.signingKey]));
    await this.node.replica.reach(sequence, AbortSignal.timeout(60_000));
    return sequence;
  }

  tick(): Promise<number> {
    return this.submit({ tag: "Tick", value: this.#once() });
  }

  /** Something that is no tick. */
  host(hint: string): Promise<number> {
    const party = `${hint}::${this.identity.namespace}` as MemberIdentity["id"];
    return this.submit({
      tag: "HostParty",
      value: { ...this.#once(), party, hosts: [this.identity.id], serial: 1n },
    });
  }

  #once() {
    const network = this.node.replica.state.network?.id ?? "";
    const maxRecordTime = addDuration(this.#network.time, 3_600_000_000n);
    return { network, member: this.identity.id, submissionId: `entry ${++ids}`, maxRecordTime };
  }
}

export class BackedNetwork {
  readonly log: OrderedLog = new SqliteLog(":memory:", systemHost);
  readonly svs: readonly BackedSv[];
  /** The right time. */
  time: Time = FOUNDED;
  /** Requests for ticks. */
  asked = 0;

  constructor(count: number) {
    this.svs = Array.from({ length: count }, (_, i) => new BackedSv(this, `sv-${i + 1}`));
  }

  /** Founded, and closed at the end of the test. */
  static async start(count: number, terms: Partial<NetworkFounding> = {}): Promise<BackedNetwork> {
    const network = new BackedNetwork(count);
    const stop = new AbortController();
    const running = network.svs.map(({ node }) => node.replica.run(stop.signal));
    onTestFinished(async () => {
      for (const { sequencer, stamps } of network.svs) {
        await stamps.close();
        await sequencer.close();
      }
      stop.abort();
      await Promise.all(running);
      for (const { node } of network.svs) node.close();
      await network.log.close();
    });
    const svs = network.svs.map(({ identity }) => ({ identity }));
    const founding = { svs, movableClock: true, isDevNet: true, protocolVersion: 4n, ...terms };
    const [first] = network.svs as readonly [BackedSv];
    await network.reach(await first.sequencer.submit(signFounding(founding)));
    return network;
  }

  /** Resolves once all SVs have applied the entry. */
  async reach(sequence: number): Promise<void> {
    for (const { node } of this.svs) await node.replica.reach(sequence, AbortSignal.timeout(60_000));
  }

  pass(microseconds: bigint): void {
    this.time = addDuration(this.time, microseconds);
  }

  /** As other SVs do it: those that are down never answer. */
  async askTicks(asking: BackedSv, signal: AbortSignal): Promise<number> {
    this.asked++;
    const others = this.svs.filter((sv) => sv !== asking);
    const never = new Promise<number>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    never.catch(() => undefined);
    return Math.max(...(await Promise.all(others.map((sv) => (sv.isDown ? never : sv.tick())))));
  }
}
