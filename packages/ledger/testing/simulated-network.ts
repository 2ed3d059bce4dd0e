/**
 * A network in one object and in simulated time: a log, one replica, members with real keys. Everything a real
 * one would do to the ledger goes through here as a signed entry; only the wires are missing.
 */
import { networkCatalogue } from "../src/contracts/network-catalogue.ts";
import { relTime } from "../src/contracts/rel-time.ts";
import { decodeText } from "../src/daml/daml-type.ts";
import type { Command } from "../src/engine/command.ts";
import { formatBlob } from "../src/engine/contract.ts";
import type { AnyTemplateDeclaration, PayloadOf } from "../src/engine/declaration.ts";
import { createEngine } from "../src/engine/interpret.ts";
import type { CreateNode } from "../src/engine/transaction.ts";
import { draftFounding, type FoundingSvTerms, type FoundingTerms } from "../src/transition/draft-founding.ts";
import { EntryContent, type FoundNetwork } from "../src/transition/entry-content.ts";
import { fingerprintOf, memberIdOf, type Verify } from "../src/transition/key.ts";
import type { Network } from "../src/transition/ledger-view.ts";
import { BACKED_TIME_VERSION, FIRST_VERSION, SUPPORTED_VERSIONS } from "../src/transition/limits.ts";
import { type LogEntry, type Signature, signedMessage, stampMessage } from "../src/transition/log-entry.ts";
import type { Outcome } from "../src/transition/outcome.ts";
import { createTransition, type Transition } from "../src/transition/transition.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import { MINUTE } from "../src/values/duration.ts";
import { expectParsed } from "../src/values/parsed.ts";
import { formatPartyId, type PartyId } from "../src/values/party-id.ts";
import { addDuration, laterTime, type Time, time } from "../src/values/time.ts";
import { type MemberKey, memberKey, verifyEd25519 } from "./member-key.ts";
import { MemoryState } from "./memory-state.ts";
import { sha256 } from "./sha256.ts";

export interface SimulatedMember {
  readonly id: PartyId;
  /** The member's operator party. */
  readonly party: PartyId;
  readonly namespaceKey: MemberKey;
  /** The key in force; `rotateKey` replaces it. */
  signingKey: MemberKey;
}

export interface Submission {
  readonly actAs: readonly PartyId[];
  readonly readAs?: readonly PartyId[];
  readonly commands: readonly Command[];
  readonly disclose?: readonly ContractId[];
  readonly commandId?: string;
  readonly userId?: string;
  readonly submissionId?: string;
  readonly maxRecordTime?: Time;
  readonly minLedgerTime?: Time | null;
  readonly deduplicateFrom?: Time | null;
}

export interface FoundingOptions {
  readonly svs?: number;
  readonly startsAt?: Time;
  readonly terms?: Partial<FoundingTerms>;
  /** Changes to the founding entry that these terms make. */
  readonly founding?: Partial<FoundNetwork>;
  /** Is shown every entry with its outcome, from the founding on. */
  readonly observe?: (entry: LogEntry, outcome: Outcome) => void;
  /** Benchmarks may skip the checks of signatures; nothing else may. */
  readonly verify?: Verify;
  /** The protocol versions that the network may have; those of the program by default. */
  readonly supportedVersions?: readonly bigint[];
}

export interface ActiveContract<T extends AnyTemplateDeclaration> {
  readonly contractId: ContractId;
  readonly payload: PayloadOf<T>;
}

const SUBMISSION_WINDOW = 2n * MINUTE;

export class SimulatedNetwork {
  readonly state: MemoryState = new MemoryState();
  readonly log: LogEntry[] = [];
  /** The founding SVs; `joinSv` and `leaveSv` replace the list. */
  svs: readonly SimulatedMember[];
  /** The sequencers' clock; entries are stamped with it. */
  clock: Time;
  readonly #transition: Transition;
  readonly #observe: FoundingOptions["observe"];
  readonly #created = new Map<string, Map<ContractId, CreateNode>>();
  #ids = 0;

  constructor(options: FoundingOptions = {}) {
    const {
      svs = 4,
      startsAt = time("2026-01-01T00:00:00Z"),
      terms = {},
      founding = {},
      verify = verifyEd25519,
    } = options;
    this.clock = startsAt;
    this.#observe = options.observe;
    const engine = createEngine({ catalogue: networkCatalogue, hash: sha256 });
    const { supportedVersions } = options;
    this.#transition = createTransition({ engine, verify, ...(supportedVersions && { supportedVersions }) });
    this.svs = Array.from({ length: svs }, (_, i) => newMember(`sv${i + 1}`));
    const members = this.svs.map(foundingSv);
    const drafted = draftFounding(sha256, { svs: members, movableClock: true, isDevNet: true, ...terms });
    const content = { ...drafted, ...founding };
    this.append({ tag: "FoundNetwork", value: content }, this.svs.flatMap(allKeys));
  }

  get network(): Network {
    if (this.state.network === null) throw new Error("the founding was rejected");
    return this.state.network;
  }

  get dso(): PartyId {
    return this.network.dso;
  }

  get now(): Time {
    return this.state.head.recordTime;
  }

  /** Signs, sequences and applies one entry. */
  append(content: EntryContent, keys: readonly MemberKey[]): Outcome {
    const text = EntryContent.encode(content);
    const message = signedMessage(text);
    const signatures = keys.map((key) => ({ publicKey: key.publicKey, signature: key.sign(message) }));
    return this.applyEntry(this.sequence({ content: text, signatures }));
  }

  /** The next entry, stamped by the SV; from protocol version 4 on the SV signs its stamp. */
  sequence(envelope: Pick<LogEntry, "content" | "signatures">, sv = 0): LogEntry {
    const { sequence, entryHash } = this.state.head;
    const entry = { sequence: sequence + 1, previousHash: entryHash, stampedAt: this.clock, ...envelope };
    const version = this.state.network?.protocolVersion ?? FIRST_VERSION;
    const key = this.svs[sv]?.signingKey;
    if (version < BACKED_TIME_VERSION || key === undefined) return entry;
    return { ...entry, stampedBy: signStamp(key, entryHash, this.clock) };
  }

  applyEntry(entry: LogEntry): Outcome {
    const outcome = this.#transition.apply(entry, this.state);
    this.state.absorb(outcome);
    this.log.push(entry);
    for (const { contractId, templateId } of outcome.archived)
      this.#created.get(templateId)?.delete(contractId);
    for (const node of outcome.created)
      this.#indexOf(node.contract.templateId).set(node.contract.contractId, node);
    this.#observe?.(entry, outcome);
    return outcome;
  }

  registerMember(name: string): SimulatedMember {
    const member = newMember(name);
    const { id, namespaceKey, signingKey } = member;
    const signingKeys = [signingKey.publicKey];
    this.append(
      {
        tag: "RegisterMember",
        value: { ...this.once(id), nodeIdentifier: name, namespaceKey: namespaceKey.publicKey, signingKeys },
      },
      allKeys(member),
    );
    this.hostParty(member, name);
    return member;
  }

  /** A new signing key, known by its name; the old one is worth nothing from then on. */
  rotateKey(member: SimulatedMember, name: string): Outcome {
    const key = memberKey(name);
    const serial = (this.state.findMember(member.id)?.keySerial ?? 0n) + 1n;
    const outcome = this.append(
      { tag: "DelegateKeys", value: { ...this.once(member.id), serial, signingKeys: [key.publicKey] } },
      [member.namespaceKey, key],
    );
    if (outcome.verdict.kind === "accepted") member.signingKey = key;
    return outcome;
  }

  hostParty(member: SimulatedMember, hint: string): PartyId {
    const party = expectParsed(
      formatPartyId({ hint, namespace: fingerprintOf(sha256, member.namespaceKey.publicKey) }),
    );
    this.append(
      { tag: "HostParty", value: { ...this.once(member.id), party, hosts: [member.id], serial: 1n } },
      [member.signingKey],
    );
    return party;
  }

  submit(member: SimulatedMember, submission: Submission): Outcome {
    return this.append(this.submitContent(member, submission), [member.signingKey]);
  }

  submitContent(member: SimulatedMember, submission: Submission): EntryContent {
    const { actAs, readAs = [], commands, disclose = [], userId = "ledger-user" } = submission;
    const once = this.once(member.id);
    return {
      tag: "Submit",
      value: {
        ...once,
        submissionId: submission.submissionId ?? once.submissionId,
        maxRecordTime: submission.maxRecordTime ?? once.maxRecordTime,
        userId,
        commandId: submission.commandId ?? `command-${this.#ids++}`,
        workflowId: "",
        actAs,
        readAs,
        deduplicateFrom: submission.deduplicateFrom ?? null,
        minLedgerTime: submission.minLedgerTime ?? null,
        commands,
        disclosed: disclose.map((contractId) => ({ contractId, blobHash: this.blobHash(contractId) })),
      },
    };
  }

  once(member: string): { network: string; member: string; submissionId: string; maxRecordTime: Time } {
    const now = laterTime(this.now, addDuration(this.clock, this.network.clockOffset));
    return {
      network: this.network.id,
      member,
      submissionId: `submission-${this.#ids++}`,
      maxRecordTime: addDuration(now, SUBMISSION_WINDOW),
    };
  }

  /** Lets time pass on a quiet log: the sequencer stamps a tick. */
  advance(micros: bigint): void {
    this.advanceTo(addDuration(this.now, micros));
  }

  /** The same, to a point in time; the ledger stands exactly there afterwards. */
  advanceTo(moment: Time): void {
    this.clock = addDuration(moment, -this.network.clockOffset);
    this.tick();
    // Other SVs have to back the time.
    for (let sv = 1; sv < this.svs.length && this.now < moment; sv++) this.tick(sv);
  }

  /** A tick that the SV signs and stamps. */
  tick(sv = 0): Outcome {
    const { id, signingKey } = this.svs[sv] as SimulatedMember;
    const content = EntryContent.encode({ tag: "Tick", value: this.once(id) });
    const signatures = [
      { publicKey: signingKey.publicKey, signature: signingKey.sign(signedMessage(content)) },
    ];
    return this.applyEntry(this.sequence({ content, signatures }, sv));
  }

  moveClock(micros: bigint): Outcome {
    const sv = this.svs[0] as SimulatedMember;
    return this.append({ tag: "MoveClock", value: { ...this.once(sv.id), forward: relTime(micros) } }, [
      sv.signingKey,
    ]);
  }

  /**
   * The active contracts of a template, oldest first. With a party only those that it signs or observes: anybody
   * may write the DSO's name into a contract of their own.
   */
  active<T extends AnyTemplateDeclaration>(template: T, party?: PartyId): readonly ActiveContract<T>[] {
    return [...this.#indexOf(template.id).values()]
      .filter((node) => party === undefined || isStakeholder(node, party))
      .map(({ contract, value }) => ({ contractId: contract.contractId, payload: value as PayloadOf<T> }));
  }

  /** Only what the DSO signs or observes, for who counts contracts. */
  get ofDso() {
    const active = <T extends AnyTemplateDeclaration>(template: T) => this.active(template, this.dso);
    return { active, now: this.now };
  }

  /** The one that the DSO signed. */
  only<T extends AnyTemplateDeclaration>(template: T): ActiveContract<T> {
    const [first, ...others] = this.active(template, this.dso);
    if (first === undefined || others.length > 0)
      throw new Error(`not exactly one active ${template.entity}`);
    return first;
  }

  find<T extends AnyTemplateDeclaration>(template: T, contractId: ContractId): PayloadOf<T> | null {
    const contract = this.state.findContract(contractId);
    return contract?.templateId === template.id
      ? (decodeText(template.record, contract.payload) as PayloadOf<T>)
      : null;
  }

  blobHash(contractId: ContractId): string {
    const contract = this.state.findContract(contractId);
    return contract === undefined ? "" : sha256(formatBlob(contract));
  }

  #indexOf(templateId: string): Map<ContractId, CreateNode> {
    let index = this.#created.get(templateId);
    if (index === undefined) {
      index = new Map();
      this.#created.set(templateId, index);
    }
    return index;
  }
}

/** Applies a log to an empty state, as a new replica would. */
export function replay(
  log: readonly LogEntry[],
  verify: Verify = verifyEd25519,
  supportedVersions: readonly bigint[] = SUPPORTED_VERSIONS,
): MemoryState {
  const state = new MemoryState();
  const engine = createEngine({ catalogue: networkCatalogue, hash: sha256 });
  const transition = createTransition({ engine, verify, supportedVersions });
  for (const entry of log) state.absorb(transition.apply(entry, state));
  return state;
}

/** A sequencer's signature of its stamp at a place in the log. */
export function signStamp({ publicKey, sign }: MemberKey, previousHash: string, stampedAt: Time): Signature {
  return { publicKey, signature: sign(stampMessage(previousHash, stampedAt)) };
}

function newMember(name: string): SimulatedMember {
  const namespaceKey = memberKey(`${name} namespace`);
  const namespace = fingerprintOf(sha256, namespaceKey.publicKey);
  return {
    id: expectParsed(memberIdOf(sha256, name, namespaceKey.publicKey)),
    party: expectParsed(formatPartyId({ hint: name, namespace })),
    namespaceKey,
    signingKey: memberKey(`${name} signing`),
  };
}

function isStakeholder({ signatories, observers }: CreateNode, party: PartyId): boolean {
  return signatories.includes(party) || observers.includes(party);
}

function allKeys({ namespaceKey, signingKey }: SimulatedMember): readonly MemberKey[] {
  return [namespaceKey, signingKey];
}

function foundingSv({ namespaceKey, signingKey, id }: SimulatedMember): FoundingSvTerms {
  return {
    nodeIdentifier: id.slice(0, id.indexOf("::")),
    namespaceKey: namespaceKey.publicKey,
    signingKeys: [signingKey.publicKey],
  };
}
