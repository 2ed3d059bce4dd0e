/**
 * Traffic: what a member may send. Every member has a free allowance that refills evenly over the burst
 * window; beyond it, bytes that were bought (active MemberTraffic contracts) are used up. SVs carry the
 * synchronizer themselves and are not charged.
 */
import { AmuletRules } from "../contracts/splice-amulet/declarations/amulet-rules.ts";
import { MemberTraffic } from "../contracts/splice-amulet/declarations/member-traffic.ts";
import { decodeText } from "../daml/daml-type.ts";
import type { Contract } from "../engine/contract.ts";
import type { PayloadOf } from "../engine/declaration.ts";
import type { CreateNode } from "../engine/transaction.ts";
import type { Time } from "../values/time.ts";
import type { LedgerView, Network, TrafficAccount } from "./ledger-view.ts";

/** Traffic contracts name a participant with this prefix. */
const PARTICIPANT_PREFIX = "PAR::";

export function accountOf(view: LedgerView, network: Network, member: string, now: Time): TrafficAccount {
  const known = view.findTraffic(member);
  if (known === undefined) {
    return { member, free: network.burstAmount, refilledAt: now, purchased: 0n, consumed: 0n };
  }
  if (network.burstWindow <= 0n) return { ...known, free: network.burstAmount, refilledAt: now };
  const refill = ((now - known.refilledAt) * network.burstAmount) / network.burstWindow;
  const full = known.free + refill >= network.burstAmount;
  // What the division drops must not be lost to a member that sends often: time advances by what was credited.
  const credited = full ? now : known.refilledAt + (refill * network.burstWindow) / network.burstAmount;
  return { ...known, free: full ? network.burstAmount : known.free + refill, refilledAt: credited as Time };
}

/** The account after sending that many bytes; null if they are not there. */
export function charge(account: TrafficAccount, bytes: bigint): TrafficAccount | null {
  const fromFree = bytes < account.free ? bytes : account.free;
  const consumed = account.consumed + bytes - fromFree;
  if (consumed > account.purchased) return null;
  return { ...account, free: account.free - fromFree, consumed };
}

export interface TrafficEffects {
  readonly network: Network;
  readonly accounts: ReadonlyMap<string, TrafficAccount>;
}

/** Traffic bought or merged, and new limits, take effect with the transaction that made them. */
export function trafficEffects(given: {
  readonly view: LedgerView;
  readonly network: Network;
  readonly now: Time;
  readonly created: readonly CreateNode[];
  readonly archived: readonly Contract[];
  /** The submitter's account as already charged. */
  readonly charged: TrafficAccount | null;
}): TrafficEffects {
  const { view, now, created, archived, charged } = given;
  let { network } = given;
  const accounts = new Map<string, TrafficAccount>();
  if (charged !== null) accounts.set(charged.member, charged);
  const credit = (traffic: PayloadOf<typeof MemberTraffic>, sign: 1n | -1n) => {
    if (traffic.dso !== network.dso || traffic.synchronizerId !== network.synchronizerId) return;
    if (traffic.migrationId !== network.migrationId || !traffic.memberId.startsWith(PARTICIPANT_PREFIX))
      return;
    const member = traffic.memberId.slice(PARTICIPANT_PREFIX.length);
    const account = accounts.get(member) ?? accountOf(view, network, member, now);
    accounts.set(member, { ...account, purchased: account.purchased + sign * traffic.totalPurchased });
  };
  for (const { templateId, payload } of archived) {
    if (templateId === MemberTraffic.id) credit(decodeText(MemberTraffic.record, payload), -1n);
  }
  for (const { contract, value } of created) {
    if (contract.templateId === MemberTraffic.id) credit(value as PayloadOf<typeof MemberTraffic>, 1n);
    if (contract.templateId === AmuletRules.id)
      network = withLimits(network, value as PayloadOf<typeof AmuletRules>);
  }
  return { network, accounts };
}

function withLimits(network: Network, rules: PayloadOf<typeof AmuletRules>): Network {
  if (rules.dso !== network.dso) return network;
  const limits = rules.configSchedule.initialValue.decentralizedSynchronizer.fees.baseRateTrafficLimits;
  return { ...network, burstAmount: limits.burstAmount, burstWindow: limits.burstWindow.microseconds };
}
