/**
 * The gate every entry of a member passes: the right network, a known member, its signature, not seen before,
 * not too late, traffic to pay for it. Behind it, each kind of entry goes its own way.
 */

import { requiredConfirmations } from "../contracts/splice-dso-governance/required-confirmations.ts";
import type { Engine } from "../engine/interpret.ts";
import { ledgerError } from "../errors/ledger-error.ts";
import { formatTime, type Time } from "../values/time.ts";
import { applySubmission } from "./apply-submission.ts";
import { submissionKey } from "./deduplication.ts";
import type { ActivateVersion, MemberEntry, MoveClock, Submit } from "./entry-content.ts";
import type { Change, LedgerView, Member, Network } from "./ledger-view.ts";
import { LATEST_CLOCK, MAX_SUBMISSION_WINDOW } from "./limits.ts";
import { accepted, type Completion, rejected, type Verdict } from "./outcome.ts";
import { ReplicaHalt } from "./replica-halt.ts";
import { delegateKeys, hostParty, registerMember } from "./topology.ts";
import { accountOf, charge } from "./traffic.ts";

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
  const { network: networkId, maxRecordTime } = content.value;
  const refuse = (verdict: Verdict) => ({ verdict, completion: null });
  const { network } = view;
  if (network === null || network.id !== networkId) {
    return refuse(
      rejected(ledgerError("INVALID_ARGUMENT", `The entry is for network ${networkId}, not for this one`)),
    );
  }
  const member = view.findMember(content.value.member);
  if (content.tag !== "RegisterMember" && !signsFor(content, member, given.keys)) {
    return refuse(
      rejected(ledgerError("UNAUTHENTICATED", `The entry is not signed by ${content.value.member}`)),
    );
  }
  const completion = content.tag === "Submit" ? completionOf(content.value) : null;
  const key = submissionKey(content.value);
  if (view.hasSubmission(key))
    return refuse({ kind: "ignored", reason: "the submission id was applied before" });
  if (maxRecordTime < now) {
    const cause = `The entry came at ${formatTime(now)}, after its latest record time ${formatTime(maxRecordTime)}`;
    return { verdict: rejected(ledgerError("NOT_SEQUENCED_TIMEOUT", cause)), completion };
  }
  if (maxRecordTime - now > MAX_SUBMISSION_WINDOW) {
    const cause = `The latest record time lies more than ${MAX_SUBMISSION_WINDOW / 1_000_000n} seconds ahead`;
    return { verdict: rejected(ledgerError("INVALID_ARGUMENT", cause)), completion };
  }
  const verdict = member === undefined ? register(given) : route(given, network, member);
  return { verdict: remember(verdict, { kind: "submission", key, until: maxRecordTime }), completion };
}

/** Key delegations are the namespace key's; everything else takes one of the current signing keys. */
function signsFor(content: MemberEntry, member: Member | undefined, keys: readonly string[]): boolean {
  if (member === undefined) return false;
  if (content.tag === "DelegateKeys") return keys.includes(member.namespaceKey);
  return member.signingKeys.some((key) => keys.includes(key));
}

function remember(verdict: Verdict, submission: Change): Verdict {
  return verdict.kind === "ignored" ? verdict : { ...verdict, changes: [submission, ...verdict.changes] };
}

function register({ view, engine, content, keys }: Given): Verdict {
  if (content.tag === "RegisterMember") {
    return registerMember({ view, hash: engine.hash, entry: content.value, keys });
  }
  return rejected(ledgerError("UNAUTHENTICATED", `Member ${content.value.member} is not known`));
}

function route(given: Given, network: Network, member: Member): Verdict {
  const { view, content, keys, now } = given;
  switch (content.tag) {
    case "RegisterMember":
      return register(given);
    case "DelegateKeys":
      return delegateKeys(member, content.value, keys);
    case "HostParty":
      return hostParty({ view, network, member, entry: content.value, keys });
    case "Submit":
      return submit(given, network, content.value);
    case "Tick":
      return network.svs.includes(member.id) ? accepted([]) : onlySvs(member);
    case "MoveClock":
      return network.svs.includes(member.id) ? moveClock(network, content.value, now) : onlySvs(member);
    case "ActivateVersion":
      return activateVersion(given, network, content.value);
  }
}

function submit({ engine, view, seed, now, bytes }: Given, network: Network, entry: Submit): Verdict {
  if (network.svs.includes(entry.member)) {
    return applySubmission({ engine, view, network, submit: entry, seed, now, charged: null });
  }
  const account = accountOf(view, network, entry.member, now);
  const charged = charge(account, bytes);
  if (charged === null) {
    const left = account.free + account.purchased - account.consumed;
    const cause =
      `The submission costs ${bytes} bytes of traffic and ${entry.member} has ${left} left: ` +
      "wait for the free allowance to refill, or buy traffic";
    return rejected(ledgerError("SEQUENCER_BACKPRESSURE", cause));
  }
  return applySubmission({ engine, view, network, submit: entry, seed, now, charged });
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
