/**
 * The life of a name, in simulated time: founded, paid, confirmed, looked up, renewed, lapsed, fought over. Every
 * step is a signed entry applied by the ledger itself; the story only says what it did.
 */
import { AnsEntry, AnsRules } from "../src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { Confirmation } from "../src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { actionToConfirm } from "../src/contracts/splice-dso-governance/payment-action.ts";
import {
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionRequest,
} from "../src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { decideAutoRenewal } from "../src/names/auto-renewal.ts";
import { isVisible } from "../src/names/entry-liveness.ts";
import { completeName } from "../src/names/entry-name.ts";
import type { Outcome } from "../src/transition/outcome.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import { decimal, formatDecimalShort } from "../src/values/decimal.ts";
import { DAY, MICROSECOND } from "../src/values/duration.ts";
import { addDuration, formatTime } from "../src/values/time.ts";
import { autoRenews, DsoActor } from "../testing/dso-actor.ts";
import { replay, SimulatedNetwork } from "../testing/simulated-network.ts";
import { WalletActor } from "../testing/wallet-actor.ts";
import { Narrator, print } from "./narrator.ts";

const network = new SimulatedNetwork();
const dso = new DsoActor(network);
const story = new Narrator(network);
const started = process.hrtime.bigint();

print(
  "Callsign: the life of a name, told by the ledger that decides it. Time is simulated; nothing else is.",
);

found();
const validator = network.registerMember("validator-1");
const alice = new WalletActor(network, validator, "alice");
const bob = new WalletActor(network, validator, "bob");
story.introduce("alice", alice);
story.introduce("bob", bob);
buy();
lookUp();
renew();
lapse();
race();
badName();
end();

function found(): void {
  story.chapter("A network is founded");
  const { config } = network.only(AnsRules).payload;
  story.tell(`Four SVs found the network together. The DSO is ${short(network.dso)}.`);
  story.detail(
    `A name costs ${formatDecimalShort(config.entryFee)} USD for ${config.entryLifetime.microseconds / DAY} days; ` +
      `it can be renewed in the last ${config.renewalDuration.microseconds / DAY}. Coin is at 0.005 USD.`,
  );
}

function buy(): void {
  story.chapter("Alice buys a name");
  must(alice.tap(decimal("1000.0")));
  must(bob.tap(decimal("1000.0")));
  story.tell("Alice and Bob tap 1000 coins each, as one can on a DevNet.");
  story.balances();
  const name = completeName("alice", network.network.acronym);
  if (!name.ok) throw new Error(name.error);
  must(alice.requestEntry({ name: name.value, url: "https://alice.example/", description: "Alice's own" }));
  story.tell(`Alice asks for "alice", which becomes ${name.value}.`);
  must(alice.accept(network.only(SubscriptionRequest).contractId));
  story.tell("She accepts the request in her wallet: 200 coins are locked, the price of 1 USD.");
  story.balances();
  confirmAndCollect();
  story.balances();
}

/** The SVs one by one, to show the quorum at work. */
function confirmAndCollect(): void {
  const [decision] = dso.decideInitialPayments();
  if (decision === undefined || decision.kind === "leave") throw new Error("nothing to decide");
  const action = actionToConfirm(decision);
  for (const [i, sv] of network.svs.slice(0, 3).entries()) {
    must(dso.confirm(sv, action));
    story.tell(
      `SV ${i + 1} checks the name and confirms: ${network.active(Confirmation).length} of 3 needed.`,
    );
  }
  must(dso.execute(action, network.svs.slice(0, 3)));
  const entry = network.only(AnsEntry).payload;
  story.tell(`With a quorum, the payment is collected and burned. ${entry.name} is live.`);
  story.detail(`It belongs to ${short(entry.user)} until ${formatTime(entry.expiresAt)}.`);
}

function lookUp(): void {
  story.chapter("Everybody can look it up, in both directions");
  story.tell(`alice.unverified.cns → ${resolve("alice.unverified.cns")}`);
  story.tell(`${short(alice.party)} → ${reverse(alice.party)}`);
  story.tell(`bob.unverified.cns → ${resolve("bob.unverified.cns")}`);
}

function renew(): void {
  story.chapter("Day 60: the wallet renews");
  const { nextPaymentDueAt, payData } = network.only(SubscriptionIdleState).payload;
  const windowOpens = addDuration(nextPaymentDueAt, -payData.paymentDuration.microseconds);
  network.advanceTo(addDuration(windowOpens, -MICROSECOND));
  story.tell(`One microsecond before: ${autoRenewal()}.`);
  network.advanceTo(windowOpens);
  story.tell(`The renewal window opens: ${autoRenewal()}.`);
  dso.advanceRounds();
  must(alice.payRenewal(network.only(SubscriptionIdleState).contractId));
  story.tell("The wallet locks another 200 coins for the next 90 days.");
  dso.settle();
  story.tell(
    `One SV collects it; it takes no quorum. Valid until ${formatTime(network.only(AnsEntry).payload.expiresAt)}.`,
  );
  story.balances();
}

function lapse(): void {
  story.chapter("Alice lets it lapse");
  const idle = network.only(SubscriptionIdleState);
  must(alice.setAutoRenewal(idle.payload.reference, false));
  story.tell("Alice switches automatic renewal off.");
  const { expiresAt } = network.only(AnsEntry).payload;
  network.advanceTo(expiresAt);
  story.tell(`In the very microsecond it expires: alice.unverified.cns → ${resolve("alice.unverified.cns")}`);
  network.advance(MICROSECOND);
  story.tell(`One microsecond later: alice.unverified.cns → ${resolve("alice.unverified.cns")}`);
  const done = dso.settle();
  story.tell(
    `The SVs tidy up: ${network.active(AnsEntry).length} entries, ${network.active(SubscriptionIdleState).length} subscriptions left.`,
  );
  story.detail(`(${done} submissions, rounds opened meanwhile included)`);
  story.balances();
}

function race(): void {
  story.chapter("A race: Bob and Alice want the free name");
  for (const buyer of [bob, alice]) must(buyer.requestEntry({ name: "alice.unverified.cns" }));
  for (const buyer of [bob, alice]) {
    const request = network
      .active(SubscriptionRequest)
      .find(({ payload }) => payload.subscriptionData.sender === buyer.party);
    if (request !== undefined) must(buyer.accept(request.contractId));
  }
  story.tell(
    `Both have paid: ${network.active(SubscriptionInitialPayment).length} payments of 200 coins wait, Bob's first in the log.`,
  );
  story.balances();
  for (const decision of dso.decideInitialPayments()) {
    if (decision.kind === "reject")
      story.detail(`The SVs' reason for the other: ${decision.message.split(",")[0]}.`);
  }
  dso.settle();
  story.tell(`The earliest in the log wins: alice.unverified.cns → ${resolve("alice.unverified.cns")}`);
  story.detail("Alice has her coins back, to the last digit.");
  story.balances();
}

function badName(): void {
  story.chapter("A bad name is refunded");
  const name = "bob.smith.unverified.cns";
  must(bob.requestEntry({ name }));
  must(bob.accept(network.only(SubscriptionRequest).contractId));
  story.tell(`Bob pays for ${name}.`);
  story.balances();
  const [decision] = dso.decideInitialPayments();
  if (decision?.kind === "reject") story.detail(decision.message);
  dso.settle();
  story.tell(`The SVs reject it and nothing is burned: ${name} → ${resolve(name)}`);
  story.balances();
}

function end(): void {
  const { sequence, digest } = network.state.head;
  const again = replay(network.log).head.digest === digest;
  const took = Number(process.hrtime.bigint() - started) / 1e6;
  story.chapter("The end");
  print(
    `  ${sequence} log entries; a second replica replays them to the ${again ? "same" : "WRONG"} digest ${digest.slice(0, 16)}…`,
  );
  print(`  Told in ${Math.round(took)} ms.`);
  if (!again) process.exitCode = 1;
}

function autoRenewal(): string {
  const { payload } = network.only(SubscriptionIdleState);
  const decision = decideAutoRenewal({
    now: network.now,
    nextPaymentDueAt: payload.nextPaymentDueAt,
    paymentDuration: payload.payData.paymentDuration.microseconds,
    autoRenew: autoRenews(network, payload.reference),
    entryExpired: false,
  });
  return decision.kind === "pay" ? "the wallet pays now" : "too early, the wallet waits";
}

function resolve(name: string): string {
  const entry = network.active(AnsEntry).find(({ payload }) => payload.name === name && isLive(payload));
  return entry === undefined ? "nobody" : short(entry.payload.user);
}

function reverse(party: string): string {
  const entry = network.active(AnsEntry).find(({ payload }) => payload.user === party && isLive(payload));
  return entry?.payload.name ?? "no name";
}

function isLive({ expiresAt }: { readonly expiresAt: bigint }): boolean {
  return isVisible({ expiresAt, now: network.now });
}

function must(outcome: Outcome): ContractId | undefined {
  if (outcome.verdict.kind === "rejected") throw new Error(outcome.verdict.error.cause);
  return outcome.created[0]?.contract.contractId;
}

function short(party: string): string {
  return party.replace(/(::1220.{4}).*$/, "$1…");
}
