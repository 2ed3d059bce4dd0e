/**
 * The gate every entry of a member passes: the right network, ids of bearable length, the signature of the
 * member it names, neither too late nor too far ahead, not seen before. What is turned away there changes
 * nothing and completes nothing: anybody may have sent it, or sent it again. Behind the gate the entry's id is
 * used up, its traffic is paid for, and each kind of entry goes its own way.
 */

import { requiredConfirmations } from "../contracts/splice-dso-governance/required-confirmations.ts";
import type { Engine } from "../engine/interpret.ts";
import { type LedgerError, ledgerError } from "../errors/ledger-error.ts";
import { show } from "../values/parsed.ts";
import { formatTime, type Time } from "../values/time.ts";
import { applySubmission } from "./apply-submission.ts";
import { submissionKey } from "./deduplication.ts";
import type { ActivateVersion, MemberEntry, MoveClock, Submit } from "./entry-content.ts";
import type { Change, LedgerView, Member, Network, TrafficAccount } from "./ledger-view.ts";
import { LATEST_CLOCK, MAX_ID_CHARACTERS, MAX_SUBMISSION_WINDOW } from "./limits.ts";
import { accepted, type Completion, rejected, type Verdict } from "./outcome.ts";
import { ReplicaHalt } from "./replica-halt.ts";
import { delegateKeys, hostParty, readRegistration, registerMember } from "./topology.ts";
import { accountOf, charge, remaining } from "./traffic.ts";

interface Given {
  readonly engine: Engine;
  readonly supportedVersions: readonly bigint[];
  readonly view: LedgerView;
  readonly content: MemberEntry;
  readonly keys: readonly string[];
  readonly seed: string;
  readonly now: Time;
  readonly bytes: bigint;
}

export function applyMemberEntry(given: Given): { verdict: Verdict; completion: Completion | null } {
  const { view, content, now } = given;
  const { network } = view;
  const turnedAway = (verdict: Verdict) => ({ verdict, completion: null });
  if (network === null || network.id !== content.value.network) {
    const cause = `The entry is for network ${show(content.value.network)}, not for this one`;
    return turnedAway(rejected(ledgerError("INVALID_ARGUMENT", cause)));
  }
  const signer = findSigner(given);
  if ("code" in signer) return turnedAway(rejected(signer));
  const refusal = checkIds(content) ?? checkRecordTime(content, now);
  if (refusal !== null) return turnedAway(rejected(refusal));
  const key = submissionKey(content.value);
  // A view may remember ids longer than it must; what counts is the time until which it must.
  const rememberedUntil = view.findSubmission(key);
  if (rememberedUntil !== undefined && rememberedUntil >= now)
    return turnedAway({ kind: "ignored", reason: "the submission id was applied before" });
  const submission: Change = { kind: "submission", key, until: content.value.maxRecordTime };
  const verdict = withChanges([submission], admit(given, network, signer));
  return { verdict, completion: content.tag === "Submit" ? completionOf(content.value) : null };
}

/** The member that asks, whose signature the entry has; or why there is none. */
function findSigner({ engine, view, content, keys }: Given): Member | LedgerError {
  if (content.tag === "RegisterMember") return readRegistration(engine.hash, content.value, keys);
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
    const cause = `The latest record time lies more than ${MAX_SUBMISSION_WINDOW / 1_000_000n} seconds ahead`;
    return ledgerError("INVALID_ARGUMENT", cause);
  }
  return null;
}

/** The entry pays before anything is done for it. SVs' entries cost nothing, nor does becoming a member. */
function admit(given: Given, network: Network, member: Member): Verdict {
  const { view, now, bytes } = given;
  if (network.svs.includes(member.id) || view.findMember(member.id) === undefined)
    return route(given, network, member, null);
  const account = accountOf(view, network, member.id, now);
  const charged = charge(account, bytes);
  if (charged === null) {
    const cause =
      `The entry costs ${bytes} bytes of traffic and ${member.id} has ${remaining(account)} left: ` +
      "wait for the free allowance to refill, or buy traffic";
    return rejected(ledgerError("SEQUENCER_BACKPRESSURE", cause));
  }
  return withChanges([{ kind: "traffic", account: charged }], route(given, network, member, charged));
}

function withChanges(changes: readonly Change[], verdict: Verdict): Verdict {
  return verdict.kind === "ignored" ? verdict : { ...verdict, changes: [...changes, ...verdict.changes] };
}

function route(given: Given, network: Network, member: Member, charged: TrafficAccount | null): Verdict {
  const { engine, view, content, keys, seed, now } = given;
  switch (content.tag) {
    case "RegisterMember":
      return registerMember(view, member);
    case "DelegateKeys":
      return delegateKeys(member, content.value, keys);
    case "HostParty":
      return hostParty({ view, network, member, entry: content.value, keys });
    case "Submit":
      return applySubmission({ engine, view, network, submit: content.value, seed, now, charged });
    case "Tick":
      return network.svs.includes(member.id) ? accepted([]) : onlySvs(member);
    case "MoveClock":
      return network.svs.includes(member.id) ? moveClock(network, content.value, now) : onlySvs(member);
    case "ActivateVersion":
      return activateVersion(given, network, content.value);
  }
}

function moveClock(network: Network, { forward }: MoveClock, now: Time): Verdict {
  if (!network.movableClock) {
    return rejected(
      ledgerError("INVALID_ARGUMENT", "This network was founded with a clock that cannot be moved"),
    );
  }
  const micros = forward.microseconds;
  if (micros <= 0n || now + micros > LATEST_CLOCK) {
    const allowed = `forward, and not beyond ${formatTime(LATEST_CLOCK)}`;
    return rejected(
      ledgerError(
        "INVALID_ARGUMENT",
        `The clock moves ${allowed}; it was asked to move ${micros} microseconds`,
      ),
    );
  }
  return accepted([{ kind: "network", network: { ...network, clockOffset: network.clockOffset + micros } }]);
}

/** Behaviour changes only when a quorum of SVs says so, and only to what this program can do. */
function activateVersion(
  { view, keys, supportedVersions }: Given,
  network: Network,
  { version }: ActivateVersion,
): Verdict {
  const signed = network.svs.filter((id) =>
    view.findMember(id)?.signingKeys.some((key) => keys.includes(key)),
  );
  const required = requiredConfirmations(network.svs.length);
  if (signed.length < required) {
    return rejected(
      ledgerError(
        "PERMISSION_DENIED",
        `A protocol version needs ${required} SVs' signatures, not ${signed.length}`,
      ),
    );
  }
  if (version <= network.protocolVersion) {
    return rejected(
      ledgerError("INVALID_ARGUMENT", `Protocol version ${version} is not above ${network.protocolVersion}`),
    );
  }
  if (!supportedVersions.includes(version)) {
    throw new ReplicaHalt(`the network activated protocol version ${version}: use a newer program`);
  }
  return accepted([{ kind: "network", network: { ...network, protocolVersion: version } }]);
}

function onlySvs({ id }: Member): Verdict {
  return rejected(ledgerError("PERMISSION_DENIED", `Only SVs may do this, and ${id} is none`));
}

function completionOf({ member, userId, commandId, submissionId, actAs }: Submit): Completion {
  return { member, userId, commandId, submissionId, actAs };
}
