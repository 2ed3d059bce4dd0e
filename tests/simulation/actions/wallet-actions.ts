/** Actions of users: tap, ask for names, pay, change their minds, send each other coin. */

import { RenewalPreference } from "../../../packages/ledger/src/contracts/callsign-names/declarations/names.ts";
import { TakeUpRequest } from "../../../packages/ledger/src/contracts/callsign-names/declarations/take-up.ts";
import { LockedAmulet } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AnsEntry } from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import {
  type SubscriptionData,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
} from "../../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { AnyTemplateDeclaration } from "../../../packages/ledger/src/engine/declaration.ts";
import { decideAutoRenewal } from "../../../packages/ledger/src/names/auto-renewal.ts";
import type { Outcome } from "../../../packages/ledger/src/transition/outcome.ts";
import type { ContractId } from "../../../packages/ledger/src/values/contract-id.ts";
import {
  type Decimal,
  decimal,
  decimalFromUnits,
  formatDecimalShort,
} from "../../../packages/ledger/src/values/decimal.ts";
import { MINUTE } from "../../../packages/ledger/src/values/duration.ts";
import { partyHint } from "../../../packages/ledger/src/values/party-id.ts";
import { addDuration } from "../../../packages/ledger/src/values/time.ts";
import { autoRenews } from "../../../packages/ledger/testing/dso-actor.ts";
import type { ActiveContract } from "../../../packages/ledger/testing/simulated-network.ts";
import { WalletActor } from "../../../packages/ledger/testing/wallet-actor.ts";
import type { Random } from "../../support/random.ts";
import type { World } from "../world.ts";
import { type Action, NOTHING, nameOf, verdictOf } from "./action.ts";

export const NAMES: readonly string[] = [
  ..."abcde".split("").map((letter) => `${letter}.unverified.cns`),
  `${"0-_z".repeat(11)}9.unverified.cns`,
];
const BAD_NAMES: readonly string[] = [
  `${"a".repeat(46)}.unverified.cns`,
  "a.b.unverified.cns",
  "Alice.unverified.cns",
  "a.unverified.ans",
  ".unverified.cns",
  "dso.cns",
  "a\n.unverified.cns",
  "",
];
const MOST_WALLETS = 10;
const URLS = ["", "https://a.example/?q=%20#x", "HTTP://A.EXAMPLE", `https://a.example/${"x".repeat(237)}`];
const BAD_URLS = [
  "s3://bucket",
  "https://a.example/%zz",
  "//a.example",
  `https://a.example/${"x".repeat(238)}`,
];
const DESCRIPTIONS = ["", "Alice", "x".repeat(140), "\u{1f600}".repeat(70), 'quotes " and \\ and \u{0007}'];
const BAD_DESCRIPTIONS = ["x".repeat(141), "\u{1f600}".repeat(71)];

/** Mostly valid, sometimes wrong in one of its three parts. */
export function requestContent(random: Random, name: string = random.pick(NAMES)) {
  const wrong = random.chance(0.25) ? random.pick(["name", "url", "description"]) : "";
  return {
    name: wrong === "name" ? random.pick(BAD_NAMES) : name,
    url: random.pick(wrong === "url" ? BAD_URLS : URLS),
    description: random.pick(wrong === "description" ? BAD_DESCRIPTIONS : DESCRIPTIONS),
  };
}

/** Contracts of a template that are a user's own, in the DSO's name service. */
export function own<T extends AnyTemplateDeclaration>(
  { network }: World,
  { party }: WalletActor,
  template: T,
): readonly ActiveContract<T>[] {
  return network.active(template, network.dso).filter(({ payload }) => {
    const { user, subscriptionData } = payload as { user?: string; subscriptionData?: SubscriptionData };
    return (subscriptionData?.sender ?? user) === party;
  });
}

/** Does something with one random contract of one random user who has such a contract. */
function withOwn<T extends AnyTemplateDeclaration>(
  template: T,
  act: (wallet: WalletActor, contract: ActiveContract<T>, world: World) => string,
): Action["run"] {
  return (world) => {
    const owners = world.wallets.filter((wallet) => own(world, wallet, template).length > 0);
    const wallet = world.random.find(owners);
    if (wallet === undefined) return NOTHING;
    return `${nameOf(wallet)} ${act(wallet, world.random.pick(own(world, wallet, template)), world)}`;
  };
}

function tap({ random, wallets }: World): string {
  const wallet = random.pick(wallets);
  const amount = anAmount(random);
  return `${nameOf(wallet)} taps ${formatDecimalShort(amount)}: ${verdictOf(wallet.tap(amount))}`;
}

/** From a speck to a fortune, with any digits. */
function anAmount(random: Random): Decimal {
  if (random.chance(0.4)) return decimal("1000.0");
  return decimalFromUnits(1n + random.bigBelow(10n ** BigInt(random.between(1, 14))));
}

function request(world: World): string {
  const wallet = world.random.pick(world.wallets);
  const content = requestContent(world.random);
  return `${nameOf(wallet)} asks for ${content.name.slice(0, 20)}: ${verdictOf(wallet.requestEntry(content))}`;
}

const accept = withOwn(SubscriptionRequest, (wallet, { contractId }, { random }) => {
  const few = random.chance(0.25);
  const outcome = few ? wallet.accept(contractId, someCoins(wallet, random)) : wallet.accept(contractId);
  return `accepts${few ? " with some coin" : ""}: ${verdictOf(outcome)}`;
});

function someCoins(wallet: WalletActor, random: Random): readonly ContractId[] {
  return random.some(wallet.coins().map(({ contractId }) => contractId));
}

/** The wallets' automation: pay each renewal in its window, unless it was switched off. */
function renewWhatIsDue({ random, network, wallets, dso }: World): string {
  let paid = 0;
  for (const { contractId, payload } of network.active(SubscriptionIdleState, network.dso)) {
    const wallet = wallets.find(({ party }) => party === payload.subscriptionData.sender);
    const decision = decideAutoRenewal({
      now: network.now,
      nextPaymentDueAt: payload.nextPaymentDueAt,
      paymentDuration: payload.payData.paymentDuration.microseconds,
      autoRenew: autoRenews(network, payload.reference),
      entryExpired: payload.nextPaymentDueAt < network.now,
    });
    if (wallet === undefined || decision.kind !== "pay") continue;
    if (wallet.payRenewal(contractId).verdict.kind === "accepted") paid++;
  }
  const prompt = random.chance(0.5);
  if (prompt) for (const decision of dso.decideRenewals()) random.pick(dso.svs).carryOutRenewal(decision);
  return `wallets pay ${paid} renewals${prompt ? ", SVs collect" : ""}`;
}

/** Too early, in time or too late, as a user may by hand. */
const payRenewal = withOwn(SubscriptionIdleState, (wallet, { contractId }) => {
  return `pays a renewal by hand: ${verdictOf(wallet.payRenewal(contractId))}`;
});

/** The window of one subscription opens, to the microsecond, and its owner has the coin to pay. */
const renewWhenTheWindowOpens = withOwn(
  SubscriptionIdleState,
  (wallet, { contractId, payload }, { network }) => {
    const opens = addDuration(payload.nextPaymentDueAt, -payload.payData.paymentDuration.microseconds);
    // The tap that follows takes effect one microsecond later, and the payment another one.
    if (opens > network.now + 2n) network.advanceTo(addDuration(opens, -2n));
    wallet.tap(decimal("1000.0"));
    return `pays when the window opens: ${verdictOf(wallet.payRenewal(contractId))}`;
  },
);

const setAutoRenewal = withOwn(SubscriptionIdleState, (wallet, { payload }, { random }) => {
  const on = random.chance(0.5);
  return `switches renewal ${on ? "on" : "off"}: ${verdictOf(wallet.setAutoRenewal(payload.reference, on))}`;
});

function removePreference({ random, network, wallets }: World): string {
  const preference = random.find(network.active(RenewalPreference));
  const wallet = wallets.find(({ party }) => party === preference?.payload.subscriber);
  if (preference === undefined || wallet === undefined) return NOTHING;
  return `${nameOf(wallet)} removes a preference: ${verdictOf(wallet.removePreference(preference.contractId))}`;
}

function transfer({ random, wallets }: World): string {
  const sender = random.pick(wallets);
  const receivers = wallets.filter(({ member }) => member === sender.member);
  const balance = sender.balance();
  // All but a speck, or any amounts.
  const amounts = random.chance(0.3)
    ? [decimalFromUnits(balance - random.bigBelow(balance < 1000n ? balance + 1n : 1000n))]
    : Array.from({ length: random.between(1, 3) }, () => anAmount(random));
  const outputs = amounts.map((amount) => {
    return { receiver: random.pick(receivers).party, receiverFeeRatio: decimal("0.0"), amount, lock: null };
  });
  const coins = random.chance(0.7) ? undefined : someCoins(sender, random);
  return `${nameOf(sender)} sends ${outputs.length} coins: ${verdictOf(sender.transfer(outputs, coins))}`;
}

/** Locks coin for some time, with oneself or another user of the same validator as holder. */
function lockCoin({ random, network, wallets }: World): string {
  const wallet = random.pick(wallets);
  const holders = random
    .some(wallets.filter(({ member }) => member === wallet.member))
    .map(({ party }) => party);
  const expiresAt = addDuration(network.now, random.pick([1n, MINUTE, 60n * MINUTE]));
  const lock = { holders, expiresAt, optContext: null };
  const output = { receiver: wallet.party, receiverFeeRatio: decimal("1.0"), amount: anAmount(random), lock };
  return `${nameOf(wallet)} locks coin: ${verdictOf(wallet.transfer([output]))}`;
}

/** Mostly coin the user locked; rarely that of a payment, which then can never be collected nor returned. */
function takeOut(world: World): string {
  const { random, network, wallets } = world;
  const wallet = random.pick(wallets);
  const locked = network
    .active(LockedAmulet, wallet.party)
    .filter(({ payload }) => payload.amulet.owner === wallet.party && payload.amulet.dso === network.dso)
    .filter(({ payload }) => !payload.lock.holders.includes(network.dso) || random.chance(0.05));
  const coin = random.find(locked);
  return coin === undefined
    ? NOTHING
    : `${nameOf(wallet)} unlocks coin: ${verdictOf(wallet.takeOut(coin.contractId))}`;
}

/** Somebody new, with a validator of their own or with one that is there. */
function newcomer({ random, network, validators, wallets }: World): string {
  if (wallets.length >= MOST_WALLETS) return NOTHING;
  if (random.chance(0.3)) validators.push(network.registerMember(`validator-${validators.length + 1}`));
  const name = `user-${wallets.length + 1}`;
  const member = random.pick(validators);
  const account = network.state.findTraffic(member.id);
  // Without traffic a wallet cannot be installed.
  if (account !== undefined && account.free < 10_000n) return NOTHING;
  wallets.push(new WalletActor(network, member, name));
  return `${name} joins at ${partyHint(member.party)}`;
}

/** The holder, rarely somebody else, asks for a new subscription; the one before may still be there. */
function requestTakeUp(world: World): string {
  const { random, network, wallets } = world;
  const entry = random.find(network.active(AnsEntry, network.dso));
  if (entry === undefined) return NOTHING;
  const holder = wallets.find(({ party }) => party === entry.payload.user);
  const wallet = holder === undefined || random.chance(0.1) ? random.pick(wallets) : holder;
  const outcome = wallet.requestTakeUp({ name: entry.payload.name, cid: entry.contractId });
  return `${nameOf(wallet)} asks to take up ${entry.payload.name}: ${verdictOf(outcome)}`;
}

function withdrawTakeUp({ random, network, wallets }: World): string {
  const request = random.find(network.active(TakeUpRequest));
  const wallet = wallets.find(({ party }) => party === request?.payload.user);
  if (request === undefined || wallet === undefined) return NOTHING;
  return `${nameOf(wallet)} withdraws a take-up: ${verdictOf(wallet.withdrawTakeUp(request.contractId))}`;
}

/** One user's own action on one random contract of theirs. */
function byOwner<T extends AnyTemplateDeclaration>(
  name: string,
  weight: number,
  template: T,
  act: (wallet: WalletActor, contractId: ContractId) => Outcome,
): Action {
  const run = withOwn(template, (wallet, { contractId }) => `${name}: ${verdictOf(act(wallet, contractId))}`);
  return { name, weight, run };
}

export const walletActions: readonly Action[] = [
  { name: "newcomer", weight: 1, run: newcomer },
  { name: "tap", weight: 10, run: tap },
  { name: "request", weight: 10, run: request },
  { name: "accept", weight: 14, run: accept },
  { name: "renew", weight: 10, run: renewWhatIsDue },
  { name: "renew in time", weight: 8, run: renewWhenTheWindowOpens },
  { name: "renew by hand", weight: 6, run: payRenewal },
  { name: "auto-renewal", weight: 6, run: setAutoRenewal },
  { name: "preference", weight: 1, run: removePreference },
  { name: "transfer", weight: 5, run: transfer },
  { name: "lock", weight: 2, run: lockCoin },
  { name: "unlock", weight: 2, run: takeOut },
  {
    name: "merge",
    weight: 2,
    run: ({ random, wallets }) => `merge: ${verdictOf(random.pick(wallets).merge())}`,
  },
  byOwner("reject request", 3, SubscriptionRequest, (wallet, cid) => wallet.rejectRequest(cid)),
  byOwner("cancel", 2, SubscriptionIdleState, (wallet, cid) => wallet.cancelSubscription(cid)),
  { name: "request take-up", weight: 3, run: requestTakeUp },
  { name: "withdraw take-up", weight: 1, run: withdrawTakeUp },
  byOwner("owner expires entry", 3, AnsEntry, (wallet, cid) => wallet.expireEntry(cid)),
  byOwner("owner expires subscription", 2, SubscriptionIdleState, (wallet, cid) =>
    wallet.expireSubscription(cid),
  ),
  byOwner("owner expires initial payment", 3, SubscriptionInitialPayment, (wallet, cid) =>
    wallet.expireInitialPayment(cid),
  ),
  byOwner("owner expires renewal", 3, SubscriptionPayment, (wallet, cid) => wallet.expireRenewalPayment(cid)),
];
