/**
 * The end of a simulation: everything on its way arrives, everybody does what is left to do, time passes. Then
 * nothing may be stuck, and everybody has the coin they should have, free to be spent.
 */

import { RequestWithdrawal } from "../../packages/ledger/src/contracts/callsign-names/declarations/names.ts";
import { networkCatalogue } from "../../packages/ledger/src/contracts/network-catalogue.ts";
import {
  Amulet,
  LockedAmulet,
} from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import {
  AnsEntry,
  AnsEntryContext,
} from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { Confirmation } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import {
  Subscription,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
  TerminatedSubscription,
} from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { AnyTemplateDeclaration } from "../../packages/ledger/src/engine/declaration.ts";
import { createEngine } from "../../packages/ledger/src/engine/interpret.ts";
import { formatLogEntry, parseLogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import { createTransition } from "../../packages/ledger/src/transition/transition.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { DAY, HOUR, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { expectParsed } from "../../packages/ledger/src/values/parsed.ts";
import { MemoryState } from "../../packages/ledger/testing/memory-state.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import type { SvActor } from "../../packages/ledger/testing/sv-actor.ts";
import { own } from "./actions/wallet-actions.ts";
import { hold } from "./audit/violation.ts";
import { listParties, type World } from "./world.ts";

/** Lets everything end that can. */
export function windUp(world: World): void {
  const { network, dso, wallets } = world;
  for (const envelope of network.onTheWay.splice(0)) network.deliver(envelope);
  // Traffic comes back, payments of closed rounds are returned, the rest is collected.
  for (let round = 0; round < 5; round++) {
    network.advance(30n * MINUTE);
    dso.settle();
  }
  const sv = dso.svs[0] as SvActor;
  for (const { contractId } of network.active(SubscriptionRequest, network.dso))
    sv.announceWithdrawal(contractId);
  network.advance(400n * DAY);
  dso.settle();
  for (const wallet of wallets) {
    // The owner ends a payment whose context the owner archived.
    for (const { contractId } of own(world, wallet, SubscriptionInitialPayment))
      wallet.expireInitialPayment(contractId);
    for (const { contractId } of own(world, wallet, SubscriptionPayment))
      wallet.expireRenewalPayment(contractId);
    for (const { contractId } of own(world, wallet, SubscriptionIdleState))
      wallet.expireSubscription(contractId);
    for (const { contractId, payload } of network.active(LockedAmulet, wallet.party)) {
      if (payload.amulet.owner === wallet.party) wallet.takeOut(contractId);
    }
    network.advance(HOUR);
  }
  dso.settle();
  sweepDust(world);
  network.advance(2n * HOUR);
  for (const { contractId } of network.active(Confirmation, network.dso)) sv.expireConfirmation(contractId);
}

/** Both configuration states catch up with the rounds; then coin that its holding fees have eaten up goes. */
function sweepDust({ network, dso }: World): void {
  const sv = dso.svs[0] as SvActor;
  for (let state = 0; state < 2; state++) {
    sv.replaceConfigState();
    network.advance(25n * HOUR);
    dso.settle();
  }
  const coins = [...network.active(Amulet, network.dso)].sort((a, b) => {
    return a.payload.amount.initialAmount < b.payload.amount.initialAmount ? -1 : 1;
  });
  for (const { contractId } of coins.slice(0, 3)) sv.expireCoin(contractId);
}

/** No payment without its coin, no locked coin, no context without its other half, no name for ever. */
export function nothingIsStuck(world: World): void {
  const { network, auditor } = world;
  const { book } = auditor;
  const { dso } = network;
  /** Payments whose coin their owner took out by hand: the one thing that cannot be cured (decision 0002). */
  const dangling = new Set<ContractId>();
  for (const template of [SubscriptionInitialPayment, SubscriptionPayment]) {
    for (const { contractId, payload } of book.signedBy(dso, template)) {
      const locked = payload.lockedAmulet;
      const isTakenOut = !book.active.has(locked) && auditor.takenOut.has(locked);
      hold(
        "no payment that can neither be collected nor returned",
        isTakenOut,
        () => `${template.entity} ${contractId}`,
      );
      dangling.add(payload.reference);
    }
  }
  const left = (
    template: AnyTemplateDeclaration,
    exempt: (reference: ContractId) => boolean = () => false,
  ) => {
    const stuck = book.signedBy(dso, template).filter(({ payload }) => {
      return !exempt((payload as { readonly reference: ContractId }).reference);
    });
    hold(
      `no ${template.entity} is left`,
      stuck.length === 0,
      () => `${stuck.length}, such as ${stuck[0]?.contractId}`,
    );
  };
  const isDangling = (reference: ContractId) => dangling.has(reference);
  const temporary = [SubscriptionRequest, SubscriptionIdleState, RequestWithdrawal, AnsEntry, Confirmation];
  for (const template of [LockedAmulet, ...temporary]) left(template);
  left(Subscription, isDangling);
  left(AnsEntryContext, isDangling);
  left(TerminatedSubscription, (reference) => auditor.selfTerminated.has(reference));
  for (const wallet of world.wallets) {
    const held = auditor.coins.held(wallet.party);
    hold("everybody's coin is free", wallet.balance() === held && wallet.locked() === 0n, () => wallet.party);
  }
}

/** A second replica, given the log as bytes, reaches the same heads, contracts, members, hosts and accounts. */
export function replayReachesTheSame(world: World): void {
  const { network, auditor } = world;
  const engine = createEngine({ catalogue: networkCatalogue, hash: sha256 });
  const transition = createTransition({ engine, verify: world.verify });
  const state = new MemoryState();
  for (const [i, entry] of network.log.entries()) {
    const bytes = formatLogEntry(entry);
    state.absorb(transition.apply(expectParsed(parseLogEntry(bytes)), state));
    const isSame = JSON.stringify(state.head, asText) === JSON.stringify(auditor.heads[i], asText);
    hold("replay reaches the same heads and digests", isSame, () => `entry ${i + 1}: ${bytes}`);
  }
  auditor.compare(state);
  const contents = (each: MemoryState) => JSON.stringify([...each.contracts.values()], asText);
  hold(
    "replay reaches the same contracts",
    contents(state) === contents(network.state),
    () => `${state.contracts.size}`,
  );
  const members = [...network.svs, ...world.validators].map(({ id }) => id);
  const topology = (each: MemoryState) =>
    JSON.stringify(
      [
        each.network,
        members.map((id) => [each.findMember(id), each.findTraffic(id)]),
        [...listParties(world), network.dso].map((party) => each.findHosting(party)),
      ],
      asText,
    );
  hold("replay reaches the same topology and traffic", topology(state) === topology(network.state), () =>
    topology(state),
  );
}

function asText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
