/**
 * A race: two to five buyers ask for one name and pay, while SVs look at the payments at points of their own and
 * whoever finds a quorum executes. Everything is interleaved as a seed says.
 */

import { Amulet } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import {
  AnsEntry,
  AnsEntryContext,
} from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import type { ActionRequiringConfirmation } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/confirmed-action.ts";
import { Confirmation } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { actionToConfirm } from "../../packages/ledger/src/contracts/splice-dso-governance/payment-action.ts";
import { SubscriptionInitialPayment } from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { InitialPaymentDecision } from "../../packages/ledger/src/names/decide-initial-payments.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { type Decimal, decimal, decimalFromUnits } from "../../packages/ledger/src/values/decimal.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { DsoActor } from "../../packages/ledger/testing/dso-actor.ts";
import { SimulatedNetwork } from "../../packages/ledger/testing/simulated-network.ts";
import type { SvActor } from "../../packages/ledger/testing/sv-actor.ts";
import { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import { Random } from "../support/random.ts";
import { Auditor } from "./audit/auditor.ts";

export interface Buyer {
  readonly wallet: WalletActor;
  readonly tapped: Decimal;
  readonly isValid: boolean;
}

export interface RaceResult {
  readonly network: SimulatedNetwork;
  readonly buyers: readonly Buyer[];
  /** Buyers in the order in which their payments stand in the log. */
  readonly order: readonly Buyer[];
  readonly owners: readonly PartyId[];
}

export const NAME = "wanted.unverified.cns";
/** One dollar at 0.005. */
export const FEE: Decimal = decimal("200.0");
const QUORUM: Readonly<Record<number, number>> = { 1: 1, 4: 3, 7: 5 };

/** One of the strands that are woven together: each of its steps is one submission, or none. */
type Strand = (() => void)[];

/** Two to five buyers, some with invalid requests, unless a pair is asked for. */
export function runRace(seed: number, { pair = false } = {}): RaceResult {
  const random = new Random(seed);
  const auditor = new Auditor();
  const svs = random.pick([1, 4, 4, 7]);
  const network = new SimulatedNetwork({ svs, observe: (entry, outcome) => auditor.observe(entry, outcome) });
  const dso = new DsoActor(network);
  const validators = ["first", "second"].map((name) => network.registerMember(name));
  const buyers = Array.from({ length: pair ? 2 : random.between(2, 5) }, (_, i): Buyer => {
    const wallet = new WalletActor(network, random.pick(validators), `buyer-${i}`);
    const tapped = decimalFromUnits(FEE + random.bigBelow(FEE));
    wallet.tap(tapped);
    return { wallet, tapped, isValid: pair || random.chance(0.8) };
  });
  const order: Buyer[] = [];
  const strands = [
    ...buyers.map((buyer) => buy(buyer, order)),
    ...dso.svs.map((sv) => look(dso, sv, random)),
    [() => execute(dso, random), () => execute(dso, random)],
    random.chance(0.3) ? [() => openNextRound(dso)] : [],
  ];
  weave(random, strands);
  // Finally every SV confirms again, until every payment is decided.
  while (network.active(SubscriptionInitialPayment, network.dso).length > 0) {
    for (const sv of random.shuffle(dso.svs)) {
      confirmAll(dso, sv, random, dso.decideInitialPayments());
      if (random.chance(0.5)) execute(dso, random);
    }
    execute(dso, random);
  }
  dso.cleanUp();
  auditor.compare(network.state);
  const owners = network.active(AnsEntry, network.dso).map(({ payload }) => payload.user);
  return { network, buyers, order, owners };
}

function weave(random: Random, strands: readonly Strand[]): void {
  const left = strands.filter((strand) => strand.length > 0).map((strand) => [...strand]);
  while (left.length > 0) {
    const strand = random.pick(left);
    strand.shift()?.();
    if (strand.length === 0) left.splice(left.indexOf(strand), 1);
  }
}

function buy({ wallet, isValid, ...rest }: Buyer, order: Buyer[]): Strand {
  let request: ContractId | undefined;
  return [
    () => {
      const url = isValid ? "https://buyer.example/" : "ftp://buyer.example/";
      request = wallet.requestEntry({ name: NAME, url }).created[0]?.contract.contractId;
    },
    () => {
      if (request === undefined) throw new Error("the request was rejected");
      const { verdict } = wallet.accept(request);
      if (verdict.kind !== "accepted")
        throw new Error(`the payment was not accepted: ${JSON.stringify(verdict)}`);
      order.push({ wallet, isValid, ...rest });
    },
  ];
}

/** An SV decides once or twice. It submits the decision later, when the log may have moved on. */
function look(dso: DsoActor, sv: SvActor, random: Random): Strand {
  return Array.from({ length: random.between(1, 2) }).flatMap(() => {
    let decisions: readonly InitialPaymentDecision[] = [];
    return [
      () => {
        decisions = dso.decideInitialPayments();
      },
      () => confirmAll(dso, sv, random, decisions),
    ];
  });
}

/** It confirms in any order what it has not confirmed yet; sometimes it forgets one. */
function confirmAll(
  dso: DsoActor,
  sv: SvActor,
  random: Random,
  decisions: readonly InitialPaymentDecision[],
): void {
  for (const decision of random.shuffle(decisions)) {
    if (decision.kind === "leave" || random.chance(0.1)) continue;
    const action = actionToConfirm(decision);
    if (!dso.confirmationsOf(action).has(sv.party)) sv.confirm(action);
  }
}

/** Any SV executes an action that has a quorum, with the needed confirmations or more, of any SVs. */
function execute(dso: DsoActor, random: Random): void {
  const needed = QUORUM[dso.svs.length] ?? 0;
  for (const action of random.shuffle(listConfirmed(dso))) {
    const confirmations = random.shuffle([...dso.confirmationsOf(action).values()]);
    if (confirmations.length < needed) continue;
    random
      .pick(dso.svs)
      .execute(action, confirmations.slice(0, random.between(needed, confirmations.length)));
  }
}

/** Actions with confirmations that stand, for payments that still wait. */
function listConfirmed({ network }: DsoActor): readonly ActionRequiringConfirmation[] {
  return network
    .active(Confirmation, network.dso)
    .map(({ payload }) => payload.action)
    .filter((action) => {
      if (action.tag !== "ARC_AnsEntryContext") return false;
      return (
        network.find(SubscriptionInitialPayment, action.value.ansEntryContextAction.value.paymentCid) !== null
      );
    });
}

/** The payments made so far stay collectable: of three rounds only the oldest closes, in which no payment is made. */
function openNextRound(dso: DsoActor): void {
  dso.network.advance(20n * 60_000_000n);
  dso.svs[0]?.advanceRound();
}

/** All coins of a buyer with their rounds: what a refund must leave as if nothing had happened. */
export function coinsOf({ network }: RaceResult, { wallet }: Buyer): bigint {
  return network
    .active(Amulet, network.dso)
    .filter(({ payload }) => payload.owner === wallet.party)
    .reduce((total, { payload }) => total + payload.amount.initialAmount, 0n);
}

export function contextsLeft({ network }: RaceResult): number {
  return network.active(AnsEntryContext, network.dso).length;
}
