/**
 * The gate every entry of a member passes: the right network, ids within their length, the signature of the
 * member it names, neither too late nor too far ahead, not seen before. An entry refused there changes
 * nothing and completes nothing: any sender may have sent or repeated it. Behind the gate it is paid for.
 *
 * The transition and the sequencers share it: a sequencer does not take an entry that the transition would refuse
 * or that is not paid for.
 */
import { type LedgerError, ledgerError } from "../errors/ledger-error.ts";
import { SECOND } from "../values/duration.ts";
import type { Hash } from "../values/hash.ts";
import { show } from "../values/parsed.ts";
import { formatParticipantId } from "../values/participant-id.ts";
import { formatTime, type Time } from "../values/time.ts";
import { submissionKey } from "./deduplication.ts";
import type { MemberEntry } from "./entry-content.ts";
import type { Change, LedgerView, Member, Network, TrafficAccount } from "./ledger-view.ts";
import {
  MAX_ID_CHARACTERS,
  MAX_SUBMISSION_WINDOW,
  NEWCOMER_ALLOWANCE_BYTES,
  NEWCOMERS_AT_ONCE,
  NEWCOMERS_WINDOW,
} from "./limits.ts";
import { isBackedTime } from "./network-beginning.ts";
import { readRegistration } from "./topology.ts";
import { accountOf, charge, newcomerAccount, remaining, secondsToRefill, takeNewcomer } from "./traffic.ts";

/** Why an entry would change nothing. */
export type Objection =
  | { readonly kind: "rejected"; readonly error: LedgerError }
  | { readonly kind: "ignored"; readonly reason: string };

interface Passing {
  readonly hash: Hash;
  readonly view: LedgerView;
  readonly content: MemberEntry;
  readonly keys: readonly string[];
  readonly now: Time;
}

interface Passed {
  readonly network: Network;
  /** The member that asks. */
  readonly member: Member;
  /** The submission's key. */
  readonly key: string;
}

/**
 * The reason why an entry of this size would change nothing, provided that its signatures hold; null if it would
 * count.
 */
export function findObjection(given: Passing & { readonly bytes: bigint }): Objection | null {
  const passed = passGate(given);
  if ("kind" in passed) return passed;
  const paid = payFor({ ...given, ...passed });
  return "code" in paid ? { kind: "rejected", error: paid } : null;
}

export function passGate(given: Passing): Passed | Objection {
  const { view, content, now } = given;
  const { network } = view;
  if (network === null || network.id !== content.value.network) {
    const cause = `The entry is for network ${show(content.value.network)}, not for this one`;
    return { kind: "rejected", error: ledgerError("INVALID_ARGUMENT", cause) };
  }
  const awaited = network.awaitedParts?.length ?? 0;
  if (awaited > 0) {
    const cause = `The network takes over the state of an earlier log: ${awaited} parts are still to come`;
    return { kind: "rejected", error: ledgerError("SEQUENCER_BACKPRESSURE", cause) };
  }
  const signer = findSigner(given);
  if ("code" in signer) return { kind: "rejected", error: signer };
  const error = checkIds(content) ?? checkRecordTime(content, now);
  if (error !== null) return { kind: "rejected", error };
  // A view may remember ids longer than it must; what counts is the time until which it must.
  const key = submissionKey(content.value);
  const rememberedUntil = view.findSubmission(key);
  if (rememberedUntil !== undefined && rememberedUntil >= now)
    return { kind: "ignored", reason: "the submission id was applied before" };
  return { network, member: signer, key };
}

/** The member that asks, whose signature the entry has; or why there is none. */
function findSigner({ hash, view, content, keys }: Passing): Member | LedgerError {
  if (content.tag === "RegisterMember") return readRegistration(hash, content.value, keys);
  const member = view.findMember(content.value.member);
  if (member !== undefined && signsFor(content, member, keys)) return member;
  return ledgerError("UNAUTHENTICATED", `The entry is not signed by ${show(content.value.member)}`);
}

/** Key delegations are the namespace key's; everything else takes one of the current signing keys. */
function signsFor(content: MemberEntry, member: Member, keys: readonly string[]): boolean {
  if (content.tag === "DelegateKeys") return keys.includes(member.namespaceKey);
  return member.signingKeys.some((key) => keys.includes(key));
}

function checkIds({ tag, value }: MemberEntry): LedgerError | null {
  const ids =
    tag === "Submit"
      ? [value.submissionId, value.userId, value.commandId, value.workflowId]
      : [value.submissionId];
  const long = ids.find((id) => id.length > MAX_ID_CHARACTERS);
  if (long === undefined) return null;
  return ledgerError(
    "INVALID_ARGUMENT",
    `An id has at most ${MAX_ID_CHARACTERS} characters, unlike ${show(long)}`,
  );
}

function checkRecordTime({ value: { maxRecordTime } }: MemberEntry, now: Time): LedgerError | null {
  if (maxRecordTime < now) {
    const cause = `The entry came at ${formatTime(now)}, after its latest record time ${formatTime(maxRecordTime)}`;
    return ledgerError("NOT_SEQUENCED_TIMEOUT", cause);
  }
  if (maxRecordTime - now > MAX_SUBMISSION_WINDOW) {
    const cause = `The latest record time lies more than ${MAX_SUBMISSION_WINDOW / SECOND} seconds ahead`;
    return ledgerError("INVALID_ARGUMENT", cause);
  }
  return null;
}

/** The changes that the payment of an entry makes. */
interface Payment {
  /** The sender's account as charged; null where the entry costs nothing. */
  readonly charged: TrafficAccount | null;
  readonly changes: readonly Change[];
}

const FREE: Payment = { charged: null, changes: [] };

/**
 * The payment for the entry. SVs' entries cost nothing, nor does becoming a member; from protocol version 4 on the network
 * takes in so many members in a time. Where anybody may move the clock, any number may come: the network is for development.
 */
export function payFor(given: {
  readonly view: LedgerView;
  readonly network: Network;
  readonly member: Member;
  readonly bytes: bigint;
  readonly now: Time;
}): Payment | LedgerError {
  const { view, network, member, bytes, now } = given;
  if (network.svs.includes(member.id)) return FREE;
  if (view.findMember(member.id) === undefined) return takeIn(given);
  const account = accountOf(view, network, member.id, now);
  const charged = charge(account, bytes);
  if (charged !== null) return { charged, changes: [{ kind: "traffic", account: charged }] };
  return ledgerError("SEQUENCER_BACKPRESSURE", outOfTraffic(network, account, bytes));
}

function takeIn({ view, network, member, now }: Parameters<typeof payFor>[0]): Payment | LedgerError {
  if (!isBackedTime(network) || network.movableClock) return FREE;
  const next = takeNewcomer(network, now);
  if (next === null) {
    const seconds = NEWCOMERS_WINDOW / NEWCOMERS_AT_ONCE / SECOND;
    const rate = `${NEWCOMERS_AT_ONCE} new members at once, and one in ${seconds} seconds`;
    return ledgerError("SEQUENCER_BACKPRESSURE", `The network takes in ${rate}: try again in a minute`);
  }
  const account = newcomerAccount(view, network, member.id, now);
  const changes: readonly Change[] = [{ kind: "network", network: next }];
  return { charged: null, changes: account === null ? changes : [...changes, { kind: "traffic", account }] };
}

/** The missing traffic, and the two ways to get it: to wait, where that can help, and to pay. */
function outOfTraffic(network: Network, account: TrafficAccount, bytes: bigint): string {
  const left = remaining(account);
  const missing = bytes - left;
  const seconds = account.isNewcomer === true ? null : secondsToRefill(network, account, missing);
  const buy = `buy traffic for ${formatParticipantId(account.member)} with AmuletRules_BuyMemberTraffic`;
  const advice =
    account.isNewcomer === true
      ? `A new member may send ${NEWCOMER_ALLOWANCE_BYTES} bytes before it has a licence: get one from an SV, or ${buy}`
      : seconds === null
        ? `More than the free allowance of ${network.burstAmount} bytes is needed: ${buy}`
        : `Wait about ${seconds} seconds for the free allowance to refill, or ${buy}`;
  return (
    `The entry costs ${bytes} bytes of traffic and ${account.member} has ${left} left, so ${missing} are missing. ` +
    advice
  );
}
