/**
 * Traffic: what a member may send. Every member has a free allowance that refills evenly over the burst
 * window; beyond it, bytes that were bought (active MemberTraffic contracts) are used up. SVs carry the
 * synchronizer themselves and are not charged.
 */
import type { AmuletConfig } from "../contracts/splice-amulet/declarations/amulet-config.ts";
import { AmuletRules } from "../contracts/splice-amulet/declarations/amulet-rules.ts";
import { MemberTraffic } from "../contracts/splice-amulet/declarations/member-traffic.ts";
import { decodeText } from "../daml/daml-type.ts";
import { SECOND } from "../values/duration.ts";
import { findParticipantMember } from "../values/participant-id.ts";
import type { Time } from "../values/time.ts";
import type { Change, LedgerView, Network, TrafficAccount } from "./ledger-view.ts";
import type { Effects } from "./outcome.ts";

/** The free allowance the coin's rules give every member. */
export function trafficLimits(config: AmuletConfig): Pick<Network, "burstAmount" | "burstWindow"> {
  const { burstAmount, burstWindow } = config.decentralizedSynchronizer.fees.baseRateTrafficLimits;
  return { burstAmount: burstAmount > 0n ? burstAmount : 0n, burstWindow: burstWindow.microseconds };
}

/**
 * The member's account now. The bytes that came free until a time are whole ones, counted from the epoch: what
 * a member gets between two times does not depend on how often it looks.
 */
export function accountOf(view: LedgerView, network: Network, member: string, now: Time): TrafficAccount {
  const { burstAmount, burstWindow } = network;
  const known = view.findTraffic(member);
  if (known === undefined) return { member, free: burstAmount, refilledAt: now, purchased: 0n, consumed: 0n };
  const freedUntil = (time: Time) => (time * burstAmount) / burstWindow;
  const refill = burstWindow > 0n ? freedUntil(now) - freedUntil(known.refilledAt) : burstAmount;
  const free = known.free + refill;
  return { ...known, free: free < burstAmount ? free : burstAmount, refilledAt: now };
}

/** The account after sending that many bytes, free ones first; null if they are not there. */
export function charge(account: TrafficAccount, bytes: bigint): TrafficAccount | null {
  if (bytes > remaining(account)) return null;
  const fromFree = bytes < account.free ? bytes : account.free;
  return { ...account, free: account.free - fromFree, consumed: account.consumed + bytes - fromFree };
}

/** Bought traffic may be archived after it was used; what is overdrawn then takes nothing free away. */
export function remaining({ free, purchased, consumed }: TrafficAccount): bigint {
  return purchased > consumed ? free + purchased - consumed : free;
}

/** The time until the free allowance has refilled by these bytes; null if it never holds that much. */
export function secondsToRefill(network: Network, account: TrafficAccount, bytes: bigint): bigint | null {
  const { burstAmount, burstWindow } = network;
  if (account.free + bytes > burstAmount) return null;
  const microseconds = (bytes * burstWindow + burstAmount - 1n) / burstAmount;
  return (microseconds + SECOND - 1n) / SECOND;
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
  const credit = (traffic: MemberTraffic, sign: 1n | -1n) => {
    const member = creditedMember(network, traffic);
    if (member === null) return;
    const before = charged?.member === member ? charged : accountOf(view, network, member, now);
    const account = accounts.get(member) ?? before;
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
  const isGenuine =
    dso === network.dso && synchronizerId === network.synchronizerId && migrationId === network.migrationId;
  return isGenuine ? findParticipantMember(memberId) : null;
}

function withLimits(network: Network, rules: AmuletRules): Network {
  if (rules.dso !== network.dso) return network;
  return { ...network, ...trafficLimits(rules.configSchedule.initialValue) };
}
