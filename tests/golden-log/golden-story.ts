/**
 * The story behind the golden log: a network is founded, people buy, race for, renew and lose names, and
 * everything that can be refused is tried. The same seed tells the same story, to the byte.
 */
import { relTime } from "../../packages/ledger/src/contracts/rel-time.ts";
import { withFreeTraffic } from "../../packages/ledger/src/contracts/splice-amulet/rules/default-amulet-config.ts";
import {
  SubscriptionIdleState,
  SubscriptionRequest,
} from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../packages/ledger/src/values/duration.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { addDuration } from "../../packages/ledger/src/values/time.ts";
import { DsoActor } from "../../packages/ledger/testing/dso-actor.ts";
import { memberKey } from "../../packages/ledger/testing/member-key.ts";
import { type SimulatedMember, SimulatedNetwork } from "../../packages/ledger/testing/simulated-network.ts";
import { foundingOf } from "../../packages/ledger/testing/transition-fixture.ts";
import { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import { Random } from "../support/random.ts";
import { tellEconomy } from "./economy-story.ts";
import { Mischief } from "./mischief.ts";

const SEED = 20_260_101;
const SV_COUNT = 4;
const STEPS = 90;
/** Names that several buyers want, and invalid names. */
const NAMES = ["alice", "bob", "shop", "atlas", "mint", "harbour", "a", "o_o", "x-1", "y".repeat(45), "cns"];
const BAD_NAMES = ["Shop", "two.labels", "grüße", "x".repeat(46), ""];

export function tellGoldenStory(seed: number = SEED): readonly LogEntry[] {
  return new GoldenStory(seed).tell();
}

class GoldenStory {
  readonly #random: Random;
  readonly #network: SimulatedNetwork;
  readonly #dso: DsoActor;
  readonly #members: readonly SimulatedMember[];
  readonly #wallets: readonly WalletActor[];
  readonly #mischief: Mischief;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#network = foundNetwork();
    this.#dso = new DsoActor(this.#network);
    const [north, south] = ["north", "south"].map((name) => this.#network.registerMember(name)) as [
      SimulatedMember,
      SimulatedMember,
    ];
    const residents = { north: ["ann", "ben"], south: ["cho", "dia"] };
    this.#members = [north, south];
    this.#wallets = [
      ...residents.north.map((name) => new WalletActor(this.#network, north, name)),
      ...residents.south.map((name) => new WalletActor(this.#network, south, name)),
    ];
    this.#mischief = new Mischief(this.#network, north);
  }

  tell(): readonly LogEntry[] {
    this.#rotateKeys();
    this.#shareParty();
    for (const wallet of this.#wallets) wallet.tap(decimal("1200.0"));
    for (let step = 0; step < STEPS; step++) {
      this.#passTime();
      this.#live();
      if (step % 3 === 0) this.#mischief.commit(this.#random);
      if (step % 4 === 0) this.#dso.settle();
      if (step === 30) this.#longWait(0n);
      if (step === 60) this.#longWait(40n * DAY);
    }
    this.#runOutOfTraffic();
    this.#network.moveClock(120n * DAY);
    this.#dso.settle();
    tellEconomy(this.#dso, this.#wallets);
    return this.#network.log;
  }

  /** Mostly forward, sometimes not at all; one sequencer's clock is behind the others'. */
  #passTime(): void {
    const ahead = addDuration(this.#network.clock, BigInt(this.#random.below(400)) * SECOND);
    this.#network.clock = this.#random.below(5) === 0 ? addDuration(this.#network.clock, -SECOND) : ahead;
    if (this.#random.below(6) === 0) this.#network.advance(5n * MINUTE);
  }

  #live(): void {
    const wallet = this.#random.pick(this.#wallets);
    const requests = this.#network
      .active(SubscriptionRequest)
      .filter(({ payload }) => payload.subscriptionData.sender === wallet.party);
    const subscriptions = this.#network
      .active(SubscriptionIdleState)
      .filter(({ payload }) => payload.subscriptionData.sender === wallet.party);
    const [request] = requests;
    const [idle] = subscriptions;
    const dice = this.#random.below(12);
    if (request !== undefined && dice < 7) wallet.accept(request.contractId);
    else if (request !== undefined && dice === 7) wallet.rejectRequest(request.contractId);
    else if (idle !== undefined && dice === 8) wallet.cancelSubscription(idle.contractId);
    else if (idle !== undefined && dice === 9)
      wallet.setAutoRenewal(idle.payload.reference, this.#random.below(2) === 0);
    else if (dice === 10) wallet.tap(decimal("300.0"));
    else this.#request(wallet);
  }

  #request(wallet: WalletActor): void {
    const bad = this.#random.below(6) === 0;
    const label = this.#random.pick(bad ? BAD_NAMES : NAMES);
    const url = this.#random.below(8) === 0 ? "ftp://example.org" : "https://example.org/";
    wallet.requestEntry({ name: `${label}.unverified.cns`, url, description: "A name of the golden log" });
  }

  /**
   * Sixty-five days pass; whoever has a subscription pays for it, some twice and some from an empty purse. The
   * SVs may be slow to collect: after the due date the money goes back. Requests that nobody answers by then are
   * withdrawn, as was announced.
   */
  #longWait(untilCollected: bigint): void {
    this.#dso.settle();
    for (const { contractId } of this.#network.active(SubscriptionRequest))
      this.#random.pick(this.#dso.svs).announceWithdrawal(contractId);
    this.#network.moveClock(65n * DAY);
    this.#network.advance(HOUR);
    this.#dso.settle();
    for (const wallet of this.#wallets) {
      for (const { contractId, payload } of this.#network.active(SubscriptionIdleState)) {
        if (payload.subscriptionData.sender !== wallet.party) continue;
        if (this.#random.below(4) > 0) wallet.payRenewal(contractId);
        if (this.#random.below(4) === 0) wallet.payRenewal(contractId);
      }
    }
    if (untilCollected > 0n) this.#network.moveClock(untilCollected);
    this.#dso.settle();
  }

  /** A member changes its signing key; what the old one signs afterwards is refused. */
  #rotateKeys(): void {
    const network = this.#network;
    const member = network.registerMember("keeper");
    const next = memberKey("keeper, next");
    const value = { ...network.once(member.id), serial: 2n, signingKeys: [next.publicKey] };
    network.append({ tag: "DelegateKeys", value }, [member.namespaceKey, next]);
    network.hostParty(member, "late");
    network.hostParty({ ...member, signingKey: next }, "in-time");
    network.append({ tag: "DelegateKeys", value: { ...value, ...network.once(member.id) } }, [
      member.namespaceKey,
      next,
    ]);
  }

  /** A party on two members; the second time without the consent of one of them. */
  #shareParty(): void {
    const network = this.#network;
    const [north, south] = this.#members as [SimulatedMember, SimulatedMember];
    const party = north.party.replace("north", "shared") as PartyId;
    const value = { party, hosts: [north.id, south.id], serial: 1n };
    for (const signers of [[north], [north, south]]) {
      network.append(
        { tag: "HostParty", value: { ...network.once(north.id), ...value } },
        signers.map(({ signingKey }) => signingKey),
      );
    }
  }

  /** Requests without end use the free allowance up; twenty minutes later it is back. */
  #runOutOfTraffic(): void {
    const [wallet] = this.#wallets as [WalletActor];
    for (let i = 0; i < 15; i++) this.#request(wallet);
    this.#network.advance(20n * MINUTE);
    this.#request(wallet);
  }
}

/** Four SVs, and an allowance small enough to run out of. */
function foundNetwork(): SimulatedNetwork {
  const { amuletConfig: usual } = foundingOf(
    new SimulatedNetwork({ svs: SV_COUNT, founding: { protocolVersion: 1n } }),
  );
  const limits = { burstAmount: 10_000n, burstWindow: relTime(10n * MINUTE) };
  const founding = { protocolVersion: 1n, amuletConfig: withFreeTraffic(usual, limits) };
  return new SimulatedNetwork({ svs: SV_COUNT, founding });
}
