/**
 * Applies an entry of a member. Behind the gate the entry's id is used up, its traffic is paid for, and each kind
 * of entry is applied.
 */

import type { Engine } from "../engine/interpret.ts";
import { ledgerError } from "../errors/ledger-error.ts";
import { requiredConfirmations } from "../values/required-confirmations.ts";
import { formatTime, type Time } from "../values/time.ts";
import { applySubmission } from "./apply-submission.ts";
import type { ActivateVersion, MemberEntry, MoveClock, Submit } from "./entry-content.ts";
import { passGate, payFor } from "./gate.ts";
import type { Verify } from "./key.ts";
import type { Change, LedgerView, Member, Network, TrafficAccount } from "./ledger-view.ts";
import { LATEST_CLOCK } from "./limits.ts";
import { isBackedTime, toleranceOf } from "./network-beginning.ts";
import { accepted, type Completion, rejected, type Verdict } from "./outcome.ts";
import { firstStamps } from "./record-time.ts";
import { ReplicaHalt } from "./replica-halt.ts";
import { attestSnapshot } from "./state-snapshot.ts";
import { attestSvs } from "./sv-set.ts";
import { delegateKeys, hostParty, registerMember } from "./topology.ts";

interface Given {
  readonly engine: Engine;
  readonly verify: Verify;
  readonly supportedVersions: readonly bigint[];
  readonly view: LedgerView;
  readonly content: MemberEntry;
  readonly keys: readonly string[];
  readonly seed: string;
  readonly now: Time;
  readonly bytes: bigint;
}

export function applyMemberEntry(given: Given): { verdict: Verdict; completion: Completion | null } {
  const { engine, view, content, keys, now } = given;
  const passed = passGate({ hash: engine.hash, view, content, keys, now });
  if ("kind" in passed) {
    const verdict = passed.kind === "ignored" ? passed : rejected(passed.error);
    return { verdict, completion: null };
  }
  const submission: Change = { kind: "submission", key: passed.key, until: content.value.maxRecordTime };
  const verdict = withChanges([submission], admit(given, passed.network, passed.member));
  return { verdict, completion: content.tag === "Submit" ? completionOf(content.value) : null };
}

/** The entry pays before anything is done for it. */
function admit(given: Given, network: Network, member: Member): Verdict {
  const paid = payFor({ ...given, network, member });
  if ("code" in paid) return rejected(paid);
  return withChanges(paid.changes, route(given, network, member, paid.charged));
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
    case "AttestSvs":
      return attestSvs({ view, network, member, entry: content.value, verify: given.verify });
    case "AttestSnapshot":
      return network.svs.includes(member.id)
        ? attestSnapshot({ view, network, member, entry: content.value, verify: given.verify })
        : onlySvs(member);
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
  { view, keys, supportedVersions, now }: Given,
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
  const activated: Network = { ...network, protocolVersion: version };
  if (isBackedTime(network) || !isBackedTime(activated))
    return accepted([{ kind: "network", network: activated }]);
  const terms = toleranceOf({ protocolVersion: version, clockTolerance: null });
  const stamps = firstStamps(network.svs, now, network.clockOffset);
  return accepted([{ kind: "network", network: { ...activated, ...terms } }, ...stamps]);
}

function onlySvs({ id }: Member): Verdict {
  return rejected(ledgerError("PERMISSION_DENIED", `Only SVs may do this, and ${id} is none`));
}

function completionOf({ member, userId, commandId, submissionId, actAs }: Submit): Completion {
  return { member, userId, commandId, submissionId, actAs };
}
