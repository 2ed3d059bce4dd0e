/** The digest chain: each outcome's digest covers what happened and the digest before it. */
import { formatTransaction } from "../engine/transaction-text.ts";
import type { Hash } from "../values/hash.ts";
import type { Time } from "../values/time.ts";
import type { Change, LedgerView } from "./ledger-view.ts";
import { FIRST_VERSION } from "./limits.ts";
import type { Verdict } from "./outcome.ts";

export const FIRST_DIGEST: string = "0".repeat(64);

export function chainDigest(
  hash: Hash,
  given: {
    view: LedgerView;
    entryHash: string;
    recordTime: Time;
    stampedBy: string | null;
    verdict: Verdict;
  },
): string {
  const { view, entryHash, recordTime, stampedBy, verdict } = given;
  const time = stampedBy === null ? recordTime : `${recordTime} ${stampedBy}`;
  return hash(`${view.head.digest}\n${entryHash}\n${time}\n${formatVerdict(verdict)}`);
}

/** A rejection counts by its code alone: its words may be improved without a new protocol version. */
function formatVerdict(verdict: Verdict): string {
  switch (verdict.kind) {
    case "ignored":
      return "ignored";
    case "rejected":
      return `rejected ${verdict.error.code}\n${verdict.changes.map(formatChange).join("\n")}`;
    case "accepted": {
      const text = verdict.transaction === null ? "" : formatTransaction(verdict.transaction);
      return `accepted ${text}\n${verdict.changes.map(formatChange).join("\n")}`;
    }
  }
}

function formatChange(change: Change): string {
  switch (change.kind) {
    case "traffic": {
      const { member, free, refilledAt, purchased, consumed, isNewcomer } = change.account;
      const text = `traffic ${member} ${free} ${refilledAt} ${purchased} ${consumed}`;
      return isNewcomer === true ? `${text} newcomer` : text;
    }
    case "network": {
      const { protocolVersion, clockOffset, burstAmount, burstWindow, newcomers } = change.network;
      const text = `network ${protocolVersion} ${clockOffset} ${burstAmount} ${burstWindow}`;
      if (protocolVersion === FIRST_VERSION) return text;
      const later = newcomers === undefined ? "" : ` ${newcomers.free} ${newcomers.refilledAt}`;
      return `${text} ${change.network.awaitedParts?.length ?? 0}${later}`;
    }
    case "member":
      return `member ${change.member.id} ${change.member.keySerial} ${change.member.signingKeys.join(",")}`;
    case "hosting":
      return `hosting ${change.hosting.party} ${change.hosting.serial} ${change.hosting.hosts.join(",")}`;
    case "stamp":
      return `stamp ${change.sv} ${change.stampedAt}`;
    case "sv-set": {
      const { serial, svs, attestations } = change.set;
      return `svs ${serial} ${svs.join(",")} ${attestations.map(({ publicKey }) => publicKey).join(",")}`;
    }
    case "snapshot": {
      const { sequence, digest } = change.snapshot;
      return `snapshot ${change.sv ?? "agreed"} ${sequence} ${digest}`;
    }
    case "submission":
      return `submission ${change.key} ${change.until}`;
    case "command":
      return `command ${change.key}`;
  }
}
