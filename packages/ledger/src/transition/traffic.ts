/**
 * Traffic: what a member may send. Every member has a free allowance that refills evenly over the burst
 * window; beyond it, bytes that were bought (active MemberTraffic contracts) are used up. SVs carry the
 * synchronizer themselves and are not charged.
 *
 * From protocol version 4 on a new member has a small allowance, once, until it has a licence, is confirmed as an SV, or has
 * bought traffic: strangers cannot fill the log.
 */
import type { AmuletConfig } from "../contracts/splice-amulet/declarations/amulet-config.ts";
import { AmuletRules } from "../contracts/splice-amulet/declarations/amulet-rules.ts";
import { MemberTraffic } from "../contracts/splice-amulet/declarations/member-traffic.ts";
import { ValidatorLicense } from "../contracts/splice-amulet/declarations/validator-license.ts";
import { SvOnboardingConfirmed } from "../contracts/splice-dso-governance/declarations/sv-onboarding.ts";
import { decodeText } from "../daml/daml-type.ts";
import { SECOND } from "../values/duration.ts";
import { findParticipantMember } from "../values/participant-id.ts";
import type { PartyId } from "../values/party-id.ts";
import type { Time } from "../values/time.ts";
import type { Change, LedgerView, Network, Refilling, TrafficAccount } from "./ledger-view.ts";
import { NEWCOMER_ALLOWANCE_BYTES, NEWCOMERS_AT_ONCE, NEWCOMERS_WINDOW } from "./limits.ts";
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
  const known = view.findTraffic(member);
  if (known === undefined)
    return { member, free: network.burstAmount, refilledAt: now, purchased: 0n, consumed: 0n };
  return known.isNewcomer === true ? known : refill(known, network, now);
}

type Burst = Pick<Network, "burstAmount" | "burstWindow">;

function refill<T extends Refilling>(known: T, { burstAmount, burstWindow }: Burst, now: Time): T {
  const freedUntil = (time: Time) => (time * burstAmount) / burstWindow;
  const freed = burstWindow > 0n ? freedUntil(now) - freedUntil(known.refilledAt) : burstAmount;
  const free = known.free + freed;
  return { ...known, free: free < burstAmount ? free : burstAmount, refilledAt: now };
}

const NEWCOMERS: Burst = { burstAmount: NEWCOMERS_AT_ONCE, burstWindow: NEWCOMERS_WINDOW };

/** The network after one more member has come; null if no more may come now. */
export function takeNewcomer(network: Network, now: Time): Network | null {
  const full = { free: NEWCOMERS_AT_ONCE, refilledAt: now };
  const newcomers = network.newcomers === undefined ? full : refill(network.newcomers, NEWCOMERS, now);
  if (newcomers.free < 1n) return null;
  return { ...network, newcomers: { ...newcomers, free: newcomers.free - 1n } };
}

/** The account of a member that comes now; null if traffic was bought for it before. */
export function newcomerAccount(
  view: LedgerView,
  { burstAmount }: Network,
  member: string,
  now: Time,
): TrafficAccount | null {
  const known = view.findTraffic(member);
  if (known !== undefined && known.purchased > 0n) return null;
  const free = burstAmount < NEWCOMER_ALLOWANCE_BYTES ? burstAmount : NEWCOMER_ALLOWANCE_BYTES;
  return { member, free, refilledAt: now, purchased: 0n, consumed: 0n, isNewcomer: true };
}

/** A licence, a confirmation as an SV or a purchase gives a newcomer the whole allowance. */
function established(account: TrafficAccount, { burstAmount }: Network, now: Time): TrafficAccount {
  const { isNewcomer, ...rest } = account;
  return isNewcomer === true ? { ...rest, free: burstAmount, refilledAt: now } : account;
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
  const current = (member: string) =>
    accounts.get(member) ?? (charged?.member === member ? charged : accountOf(view, network, member, now));
  const credit = (traffic: MemberTraffic, sign: 1n | -1n) => {
    const member = creditedMember(network, traffic);
    if (member === null) return;
    const account = sign > 0n ? established(current(member), network, now) : current(member);
    accounts.set(member, { ...account, purchased: account.purchased + sign * traffic.totalPurchased });
  };
  const admit = (dso: PartyId, party: PartyId) => {
    if (dso !== network.dso) return;
    for (const member of view.findHosting(party)?.hosts ?? []) {
      const account = current(member);
      if (account.isNewcomer === true) accounts.set(member, established(account, network, now));
    }
  };
  for (const { contractId, templateId } of effects.archived) {
    if (templateId !== MemberTraffic.id) continue;
    const contract = view.findContract(contractId);
    if (contract !== undefined) credit(decodeText(MemberTraffic.record, contract.payload), -1n);
  }
  for (const { contract, value } of effects.created) {
    if (contract.templateId === MemberTraffic.id) credit(value as MemberTraffic, 1n);
    if (contract.templateId === ValidatorLicense.id) {
      const { dso, validator } = value as ValidatorLicense;
      admit(dso, validator);
    }
    if (contract.templateId === SvOnboardingConfirmed.id) {
      const { dso, svParty } = value as SvOnboardingConfirmed;
      admit(dso, svParty);
    }
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
