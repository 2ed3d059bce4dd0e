/**
 * The network's SVs follow DsoRules from protocol version 4 on: after a transaction that replaced it, they are the registered
 * members that it names. An SV that stays keeps its place, and new ones come behind. Each change has a serial, and the SVs of
 * the set before attest it with their namespace keys: somebody who knows the first SVs can check every later set.
 */
import { DsoRules } from "../contracts/splice-dso-governance/declarations/dso-rules.ts";
import { ledgerError } from "../errors/ledger-error.ts";
import type { Hash } from "../values/hash.ts";
import { findParticipantMember } from "../values/participant-id.ts";
import { requiredConfirmations } from "../values/required-confirmations.ts";
import type { Time } from "../values/time.ts";
import type { AttestSvs } from "./entry-content.ts";
import { fingerprintOf, type Verify } from "./key.ts";
import type { Change, LedgerView, Member, Network, SvSet } from "./ledger-view.ts";
import type { Signature } from "./log-entry.ts";
import { isBackedTime } from "./network-beginning.ts";
import { accepted, type Effects, rejected, type Verdict } from "./outcome.ts";
import { firstStamps } from "./record-time.ts";

/** The message that an SV of the set before signs with its namespace key. */
export function svSetMessage(network: string, { serial, svs }: Pick<SvSet, "serial" | "svs">): string {
  return `callsign-svs-1\n${network}\n${serial}\n${svs.join("\n")}`;
}

/** The changes of a transaction that replaced DsoRules with one that names other SVs. */
export function svSetEffects(given: {
  readonly view: LedgerView;
  /** As other effects of the transaction leave it. */
  readonly network: Network;
  readonly effects: Effects;
  readonly now: Time;
}): readonly Change[] {
  const { view, network, effects, now } = given;
  const rules = isBackedTime(network) ? findDsoRules(effects, network) : null;
  if (rules === null) return [];
  const named = rules.svs.flatMap(([, { participantId }]) => findParticipantMember(participantId) ?? []);
  const known = new Set(named.filter((id) => view.findMember(id) !== undefined));
  const stayed = network.svs.filter((id) => known.has(id));
  const joined = [...known].filter((id) => !network.svs.includes(id));
  const svs = [...stayed, ...joined];
  const isSame = joined.length === 0 && stayed.length === network.svs.length;
  // Somebody has to order entries: a set without any known member changes nothing.
  if (svs.length === 0 || isSame) return [];
  const serial = (network.svSerial ?? 0n) + 1n;
  const hosting = view.findHosting(network.dso)?.serial ?? 0n;
  return [
    { kind: "network", network: { ...network, svs, svSerial: serial } },
    { kind: "sv-set", set: { serial, before: network.svs, svs, attestations: [] } },
    { kind: "hosting", hosting: { party: network.dso, hosts: svs, serial: hosting + 1n } },
    ...firstStamps(joined, now, network.clockOffset),
  ];
}

/** The last one that the transaction left active; anybody may make one of a DSO of their own. */
function findDsoRules({ created }: Effects, { dso }: Network): DsoRules | null {
  const all = created.filter(({ contract }) => contract.templateId === DsoRules.id);
  const ofDso = all.map(({ value }) => value as DsoRules).filter((rules) => rules.dso === dso);
  return ofDso.at(-1) ?? null;
}

/** True if a quorum of the SVs before has attested the set. */
export function isAttested({ before, attestations }: SvSet): boolean {
  return attestations.length >= requiredConfirmations(before.length);
}

/** An SV of the set before attests a set; behind a quorum further attestations change nothing. */
export function attestSvs(given: {
  readonly view: LedgerView;
  readonly network: Network;
  readonly member: Member;
  readonly entry: AttestSvs;
  readonly verify: Verify;
}): Verdict {
  const { view, network, member, entry, verify } = given;
  const set = view.findSvSet(entry.serial);
  if (set === undefined) {
    const cause = `The SVs have changed ${network.svSerial ?? 0n} times: there is no set ${entry.serial} to attest`;
    return rejected(ledgerError("INVALID_ARGUMENT", cause));
  }
  if (!set.before.includes(member.id)) {
    const cause = `Set ${set.serial} of the SVs is attested by those before it, and ${member.id} is none of them`;
    return rejected(ledgerError("PERMISSION_DENIED", cause));
  }
  const { namespaceKey: publicKey } = member;
  const { signature } = entry;
  if (!verify(publicKey, svSetMessage(network.id, set), signature)) {
    const cause = `${member.id} has not signed set ${set.serial} of the SVs with its namespace key`;
    return rejected(ledgerError("UNAUTHENTICATED", cause));
  }
  if (isAttested(set) || set.attestations.some((other) => other.publicKey === publicKey)) return accepted([]);
  const attestations = [...set.attestations, { publicKey, signature }];
  return accepted([{ kind: "sv-set", set: { ...set, attestations } }]);
}

/** A changed set as it is handed to members. */
export interface SvSetChange {
  readonly serial: bigint;
  readonly svs: readonly string[];
  /** By namespace keys of the SVs before. */
  readonly attestations: readonly Signature[];
}

/** The fault of a change behind the SVs `before`, or null: a quorum of them must have signed it. */
export function findSvSetFault(
  { serial, svs, attestations }: SvSetChange,
  given: {
    readonly network: string;
    readonly before: readonly string[];
    readonly hash: Hash;
    readonly verify: Verify;
  },
): string | null {
  const { network, before, hash, verify } = given;
  if (svs.length === 0 || new Set(svs).size !== svs.length)
    return `set ${serial} of its SVs is no set of SVs`;
  const message = svSetMessage(network, { serial, svs });
  const signed = new Set<string>();
  for (const { publicKey, signature } of attestations) {
    const ending = `::${fingerprintOf(hash, publicKey)}`;
    const sv = before.find((id) => id.endsWith(ending));
    if (sv !== undefined && verify(publicKey, message, signature)) signed.add(sv);
  }
  const needed = requiredConfirmations(before.length);
  return signed.size >= needed
    ? null
    : `set ${serial} of its SVs is attested by ${signed.size} of the ${before.length} SVs before, and ${needed} are needed`;
}
