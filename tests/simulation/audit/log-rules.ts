/** The rules of log entries: signatures, topology and traffic, in the auditor's own account. */

import { type EntryContent, isMemberEntry } from "../../../packages/ledger/src/transition/entry-content.ts";
import type { Network } from "../../../packages/ledger/src/transition/ledger-view.ts";
import type { LogEntry } from "../../../packages/ledger/src/transition/log-entry.ts";
import type { Outcome } from "../../../packages/ledger/src/transition/outcome.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import { hold } from "./violation.ts";

interface KnownMember {
  readonly namespaceKey: string;
  readonly signingKeys: readonly string[];
}

export class LogRules {
  readonly #members = new Map<string, KnownMember>();
  readonly #hosts = new Map<PartyId, readonly string[]>();
  readonly #applied = new Set<string>();
  #head: Outcome["head"] | null = null;

  /** The audiences of a transaction: the parties of each member, and each party alone. */
  get audience(): readonly (readonly PartyId[])[] {
    const byMember = new Map<string, PartyId[]>();
    for (const [party, hosts] of this.#hosts) {
      for (const host of hosts) byMember.set(host, [...(byMember.get(host) ?? []), party]);
    }
    return [...[...this.#hosts.keys()].map((party) => [party]), ...byMember.values()];
  }

  /** Heads follow each other: numbers without a gap, times that only grow. */
  headsFollowEachOther({ head }: Outcome): void {
    const before = this.#head;
    const isNext =
      before === null
        ? head.sequence === 1
        : head.sequence === before.sequence + 1 &&
          head.recordTime > before.recordTime &&
          head.digest !== before.digest;
    hold("heads follow each other", isNext, () => `${head.sequence} at ${head.recordTime}`);
    this.#head = head;
  }

  /** Rejected or ignored entries change nothing but head, stamps, traffic and deduplication; nothing is a defect of ours. */
  refusalsChangeNothing({ verdict, created, archived, changes, completion }: Outcome): void {
    if (verdict.kind === "rejected") {
      const { error, defect } = verdict;
      hold("no defect of ours", (defect ?? null) === null && error.code !== "SERVICE_INTERNAL_ERROR", () => {
        return `${error.cause}: ${defect?.stack ?? "no defect"}`;
      });
    }
    if (verdict.kind === "accepted") return;
    const allowed = verdict.kind === "rejected" ? ["stamp", "submission", "traffic"] : ["stamp"];
    const isQuiet =
      created.length === 0 &&
      archived.length === 0 &&
      changes.every(({ kind }) => allowed.includes(kind)) &&
      (verdict.kind === "rejected" || completion === null);
    hold("a refusal changes nothing", isQuiet, () => changes.map(({ kind }) => kind).join());
  }

  /** An accepted entry is signed by a key its member has now, comes in time, and comes once. */
  acceptedEntriesAreGenuine(entry: LogEntry, content: EntryContent, { head, changes }: Outcome): void {
    if (!isMemberEntry(content)) return;
    const { member: id, submissionId, maxRecordTime } = content.value;
    const keys = entry.signatures.map(({ publicKey }) => publicKey);
    const member = content.tag === "RegisterMember" ? asMember(content.value) : this.#members.get(id);
    const needed =
      content.tag === "DelegateKeys" ? [member?.namespaceKey ?? ""] : (member?.signingKeys ?? []);
    hold(
      "an accepted entry is signed by its member",
      needed.some((key) => keys.includes(key)),
      () => id,
    );
    const inTime = content.tag === "MoveClock" || head.recordTime <= maxRecordTime;
    hold("an accepted entry comes in time", inTime, () => `${head.recordTime}, at most ${maxRecordTime}`);
    const key = `${id}/${submissionId}`;
    hold(
      "an accepted entry uses up its id",
      changes.some((change) => change.kind === "submission" && change.key === key),
      () => key,
    );
  }

  /** An entry that passed the gate once, accepted or not, never passes it again. */
  submissionsCountOnce({ changes }: Outcome): void {
    for (const change of changes) {
      if (change.kind !== "submission") continue;
      hold("a submission counts once", !this.#applied.has(change.key), () => change.key);
      this.#applied.add(change.key);
    }
  }

  /** Members act and read for parties they host, and no member acts as the DSO. */
  submittersAreHosted(content: EntryContent, network: Network): void {
    if (content.tag !== "Submit") return;
    const { member, actAs, readAs } = content.value;
    hold("nobody acts as the DSO", !actAs.includes(network.dso), () => member);
    const strange = [...actAs, ...readAs].filter((party) => !this.#hosts.get(party)?.includes(member));
    hold(
      "members submit for parties they host",
      strange.length === 0,
      () => `${member} for ${strange.join()}`,
    );
  }

  /** Takes in what an accepted entry says about members and parties. */
  follow(content: EntryContent, { changes }: Outcome): void {
    switch (content.tag) {
      case "FoundNetwork":
        for (const change of changes) {
          if (change.kind === "member") this.#members.set(change.member.id, asMember(change.member));
          if (change.kind === "hosting") this.#hosts.set(change.hosting.party, change.hosting.hosts);
        }
        return;
      case "RegisterMember":
        this.#members.set(content.value.member, asMember(content.value));
        return;
      case "DelegateKeys": {
        const { member, signingKeys } = content.value;
        const namespaceKey = this.#members.get(member)?.namespaceKey ?? "";
        this.#members.set(member, { namespaceKey, signingKeys });
        return;
      }
      case "HostParty":
        this.#hosts.set(content.value.party, content.value.hosts);
        return;
      case "Submit":
      case "Tick":
      case "MoveClock":
      case "ActivateVersion":
        return;
    }
  }
}

function asMember({ namespaceKey, signingKeys }: KnownMember): KnownMember {
  return { namespaceKey, signingKeys };
}
