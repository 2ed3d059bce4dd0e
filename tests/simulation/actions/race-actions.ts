/** Several users want the same name at the same time. */

import { AnsEntry } from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { SubscriptionRequest } from "../../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { decimal } from "../../../packages/ledger/src/values/decimal.ts";
import { addDuration } from "../../../packages/ledger/src/values/time.ts";
import type { WalletActor } from "../../../packages/ledger/testing/wallet-actor.ts";
import type { World } from "../world.ts";
import { type Action, NOTHING, nameOf, verdictOf } from "./action.ts";
import { NAMES, own, requestContent } from "./wallet-actions.ts";

/** Two to five users ask for one name and pay, with SVs deciding in between; the rest is left to later steps. */
function race(world: World): string {
  const { random, wallets, dso } = world;
  const name = random.pick(NAMES);
  const buyers = random.shuffle(wallets).slice(0, random.between(2, 5));
  for (const buyer of buyers) {
    if (random.chance(0.8)) buyer.tap(decimal("1000.0"));
    buyer.requestEntry(requestContent(random, name));
  }
  const told = random.shuffle(buyers).map((buyer) => {
    if (random.chance(0.2)) for (const decision of dso.decideInitialPayments()) dso.carryOut(decision);
    return `${nameOf(buyer)} ${payNewest(world, buyer)}`;
  });
  return `for ${name.slice(0, 20)}: ${told.join(", ")}`;
}

/** Somebody wants a name that is about to expire: until it has, its owner keeps it. */
function poach({ random, network, wallets, dso }: World): string {
  const entry = random.find(
    network.active(AnsEntry, network.dso).filter(({ payload }) => payload.expiresAt > network.now),
  );
  const buyer = random.find(wallets.filter(({ party }) => party !== entry?.payload.user));
  if (entry === undefined || buyer === undefined) return NOTHING;
  const { name, expiresAt } = entry.payload;
  // Every entry takes a microsecond: the decision falls before, at or after the time of expiry.
  const ahead = BigInt(random.pick([random.between(4, 30), 60_000_000]));
  if (expiresAt - ahead > network.now) network.advanceTo(addDuration(expiresAt, -ahead));
  buyer.tap(decimal("1000.0"));
  const requestCid = buyer.requestEntry({ name }).created[0]?.contract.contractId;
  const paid = requestCid === undefined ? "no request" : verdictOf(buyer.accept(requestCid));
  const decided = dso.decideInitialPayments().map((decision) => {
    dso.carryOut(decision);
    return decision.kind;
  });
  return `${nameOf(buyer)} wants ${name.slice(0, 20)}: ${paid}; ${decided.join(", ")}`;
}

function payNewest(world: World, buyer: WalletActor): string {
  const newest = own(world, buyer, SubscriptionRequest).at(-1);
  return newest === undefined ? "has no request" : verdictOf(buyer.accept(newest.contractId));
}

export const raceActions: readonly Action[] = [
  { name: "race", weight: 6, run: race },
  { name: "poach", weight: 4, run: poach },
];
