/**
 * Traffic: what a member may send. Every member has a free allowance that refills evenly over the burst
 * window; beyond it, bytes that were bought (active MemberTraffic contracts) are used up. SVs carry the
 * synchronizer themselves and are not charged.
 */
import { AmuletRules } from "../contracts/splice-amulet/declarations/amulet-rules.ts";
import { MemberTraffic } from "../contracts/splice-amulet/declarations/member-traffic.ts";
import { decodeText } from "../daml/daml-type.ts";
import type { Time } from "../values/time.ts";
import type { Change, LedgerView, Network, TrafficAccount } from "./ledger-view.ts";
import type { Effects } from "./outcome.ts";

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

/** Traffic bought or merged, and new limits, take effect with the transaction that made them. */
export function trafficEffects(given: {
  readonly view: LedgerView;
  readonly network: Network;
  readonly now: Time;
  readonly effects: Effects;
  /** The submitter's account as already charged; null for an SV. */
  readonly charged: TrafficAccount | null;
}): readonly Change[] {
  const { view, now, effects, charged } = given;
  let { network } = given;
  const accounts = new Map<string, TrafficAccount>();
  if (charged !== null) accounts.set(charged.member, charged);
  const credit = (traffic: MemberTraffic, sign: 1n | -1n) => {
    const member = creditedMember(network, traffic);
    if (member === null) return;
    const account = accounts.get(member) ?? accountOf(view, network, member, now);
    accounts.set(member, { ...account, purchased: account.purchased + sign * traffic.totalPurchased });
  };
  for (const { contractId, templateId } of effects.archived) {
    if (templateId !== MemberTraffic.id) continue;
    const contract = view.findContract(contractId);
    if (contract !== undefined) credit(decodeText(MemberTraffic.record, contract.payload), -1n);
  }
  for (const { contract, value } of effects.created) {
    if (contract.templateId === MemberTraffic.id) credit(value as MemberTraffic, 1n);
    if (contract.templateId === AmuletRules.id) network = withLimits(network, value as AmuletRules);
  }
  const changes: Change[] = [];
  for (const account of accounts.values()) changes.push({ kind: "traffic", account });
  if (network !== given.network) changes.push({ kind: "network", network });
  return changes;
}

/** Only what the DSO signed, for this synchronizer and migration, and for a participant. */
function creditedMember(network: Network, traffic: MemberTraffic): string | null {
  const { dso, synchronizerId, migrationId, memberId } = traffic;
  const genuine =
    dso === network.dso &&
    synchronizerId === network.synchronizerId &&
    migrationId === network.migrationId &&
    memberId.startsWith(PARTICIPANT_PREFIX);
  return genuine ? memberId.slice(PARTICIPANT_PREFIX.length) : null;
}

function withLimits(network: Network, rules: AmuletRules): Network {
  if (rules.dso !== network.dso) return network;
  const limits = rules.configSchedule.initialValue.decentralizedSynchronizer.fees.baseRateTrafficLimits;
  return { ...network, burstAmount: limits.burstAmount, burstWindow: limits.burstWindow.microseconds };
}
