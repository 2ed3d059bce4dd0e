/**
 * The story behind the second golden log: the network of the first one goes on in a new log. Parts come early, twice and
 * changed; members come too early, with commands of before, and again.
 */

import { decodeText } from "../../packages/ledger/src/daml/daml-type.ts";
import type {
  ContinueNetwork,
  ImportState,
} from "../../packages/ledger/src/transition/continuation-content.ts";
import { draftContinuation, draftParts } from "../../packages/ledger/src/transition/draft-continuation.ts";
import { EntryContent } from "../../packages/ledger/src/transition/entry-content.ts";
import type { Member } from "../../packages/ledger/src/transition/ledger-view.ts";
import type { Envelope, LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import { MINUTE } from "../../packages/ledger/src/values/duration.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { addDuration, type Time } from "../../packages/ledger/src/values/time.ts";
import { type MemberKey, memberKey } from "../../packages/ledger/testing/member-key.ts";
import { MemoryState } from "../../packages/ledger/testing/memory-state.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { anyCommand, nextEntry, sign, signText } from "../../packages/ledger/testing/transition-fixture.ts";
import { newTransition } from "./replay-digests.ts";

/** The first log's entries, and the time at which its last one was stamped. */
export function tellContinuedStory(founded: readonly LogEntry[]): readonly LogEntry[] {
  return new ContinuedStory(founded).tell();
}

class ContinuedStory {
  readonly #before = new MemoryState();
  readonly #after = new MemoryState();
  readonly #transition = newTransition();
  readonly #log: LogEntry[] = [];
  #clock: Time;
  #ids = 0;

  constructor(founded: readonly LogEntry[]) {
    for (const entry of founded) this.#before.absorb(this.#transition.apply(entry, this.#before));
    this.#clock = addDuration(founded.at(-1)?.stampedAt as Time, MINUTE);
  }

  tell(): readonly LogEntry[] {
    const parts = [...cutSmaller([...draftParts(this.#before.listCarried())]), totals()];
    const continuation = this.#continuation(parts.map(sha256));
    const signed = sign({ tag: "ContinueNetwork", value: continuation }, this.#svKeys());
    const sv = this.#before.network?.svs[0] ?? "";
    this.#append(signed);
    this.#append(signed);
    this.#tick(sv);
    this.#append(unsigned(parts[1] ?? ""));
    for (const part of parts) this.#append(unsigned(part));
    this.#append(unsigned(parts[0] ?? ""));
    this.#tick(sv);
    this.#live();
    return this.#log;
  }

  /** A member creates a contract, tries the same command again, and one of the log before. */
  #live(): void {
    const north = this.#memberNamed("north");
    const keys = [memberKey("north signing")];
    const submit = (commandId: string, network = this.#after.network?.id ?? "") => {
      const party = this.#partyOf(north);
      const value = {
        ...{ ...this.#once(north.id), network, userId: "ledger-user", commandId, workflowId: "" },
        ...{ actAs: [party], readAs: [], deduplicateFrom: null, minLedgerTime: null, disclosed: [] },
        commands: [anyCommand(party)],
      };
      this.#append(sign({ tag: "Submit", value }, keys));
    };
    submit("after the migration");
    submit("after the migration");
    submit("sent to the log before", this.#before.network?.id);
  }

  #append(envelope: Envelope): void {
    this.#clock = addDuration(this.#clock, MINUTE);
    const entry = nextEntry(this.#after, envelope, this.#clock);
    this.#after.absorb(this.#transition.apply(entry, this.#after));
    this.#log.push(entry);
  }

  #tick(member: string): void {
    this.#append(sign({ tag: "Tick", value: this.#once(member) }, this.#svKeys().slice(0, 1)));
  }

  #once(member: string) {
    const maxRecordTime = addDuration(this.#after.head.recordTime, 5n * MINUTE);
    const submissionId = `continued-${this.#ids++}`;
    return { network: this.#after.network?.id ?? "", member, submissionId, maxRecordTime };
  }

  #continuation(parts: readonly string[]): ContinueNetwork {
    const { head, network } = this.#before;
    if (network === null) throw new Error("the first log founds no network");
    const svs = network.svs.map((id) => this.#before.findMember(id) as Member);
    return draftContinuation({ head, network }, svs, parts);
  }

  #svKeys(): readonly MemberKey[] {
    return [1, 2, 3, 4].map((number) => memberKey(`sv${number} signing`));
  }

  #memberNamed(name: string): Member {
    for (const item of this.#before.listCarried())
      if (item.kind === "member" && item.member.id.startsWith(`${name}::`)) return item.member;
    throw new Error(`there is no member ${name}`);
  }

  #partyOf({ id }: Member): PartyId {
    return id as PartyId;
  }
}

/** Several parts, although the state is small. */
function* cutSmaller(parts: readonly string[]): Generator<string> {
  for (const part of parts) {
    const content = decodeText(EntryContent, part);
    if (content.tag !== "ImportState") throw new Error("no part");
    const { contracts, ...rest } = content.value;
    const half = Math.ceil(contracts.length / 2);
    yield formatPart({ ...rest, contracts: contracts.slice(0, half) });
    yield formatPart({ ...NOTHING, contracts: contracts.slice(half) });
  }
}

const NOTHING: ImportState = {
  ...{ members: [], hostings: [], traffic: [], commands: [], contracts: [], rounds: [], rewards: [] },
};

function totals(): string {
  const rewards = ["app", "validator"].map((kind) => ({ round: 3n, kind, units: "12345678901" }));
  return formatPart({ ...NOTHING, rewards });
}

function formatPart(value: ImportState): string {
  return EntryContent.encode({ tag: "ImportState", value });
}

function unsigned(content: string): Envelope {
  return signText(content, []);
}
