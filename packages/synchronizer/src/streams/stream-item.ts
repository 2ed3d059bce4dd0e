/**
 * One item of a member's stream: a log entry, projected onto the parties that the member hosts. Its text is the same on every
 * replica, whether it is made with the entry or from the kept one later: digests are chained over it.
 */
import type { StreamEvent, StreamItem, StreamUpdate } from "@callsign/api";
import type { Hash } from "@callsign/ledger";
import type { StreamEntry } from "./stream-entry.ts";

/** The part of an update that one member sees. */
interface SeenPart {
  readonly parties: Set<string>;
  readonly events: StreamEvent[];
}

export class EntryProjection {
  readonly #entry: StreamEntry;
  readonly #seen: ReadonlyMap<string, SeenPart>;
  /** The JSON texts of events, which are most of every text: each is written once. */
  readonly #texts = new Map<StreamEvent, string>();

  constructor(entry: StreamEntry) {
    this.#entry = entry;
    this.#seen = listSeen(entry);
  }

  /** The JSON text of the entry. */
  get text(): string {
    const { recordTime, completion, update, hosts, rehosted } = this.#entry;
    return formatObject({
      recordTime: JSON.stringify(recordTime),
      completion: JSON.stringify(completion),
      update: update === null ? "null" : formatUpdate(update, update.events.map(this.#textOf)),
      hosts: JSON.stringify(hosts),
      rehosted: JSON.stringify(rehosted),
    });
  }

  /** The members that have an item. */
  get members(): ReadonlySet<string> {
    const { completion, rehosted } = this.#entry;
    return new Set([
      ...(completion === null ? [] : [completion.member]),
      ...this.#seen.keys(),
      ...rehosted.flatMap(({ hosts, former }) => [...hosts, ...former]),
    ]);
  }

  /** The JSON text of a member's item. */
  bodyFor(member: string): string {
    const { recordTime, update } = this.#entry;
    const seen = this.#seen.get(member);
    return formatObject({
      recordTime: JSON.stringify(recordTime),
      completion: JSON.stringify(this.#completionFor(member)),
      update: update === null || seen === undefined ? "null" : formatUpdate(update, this.#textsFor(seen)),
      hostings: JSON.stringify(this.#hostingsFor(member)),
    } satisfies Record<keyof StreamItem, string>);
  }

  readonly #textOf = (event: StreamEvent): string => {
    const text = this.#texts.get(event) ?? JSON.stringify(event);
    this.#texts.set(event, text);
    return text;
  };

  #textsFor({ events, parties }: SeenPart): readonly string[] {
    return events.map((event) => projectText(event, this.#textOf(event), parties));
  }

  #completionFor(member: string): StreamItem["completion"] {
    const { completion } = this.#entry;
    if (completion?.member !== member) return null;
    const { member: _, ...told } = completion;
    return told;
  }

  #hostingsFor(member: string): StreamItem["hostings"] {
    return this.#entry.rehosted
      .filter(({ hosts, former }) => hosts.includes(member) || former.includes(member))
      .map(({ party, hosts }) => ({ party, hosted: hosts.includes(member) }));
  }
}

/** By member. One pass over the events for all of them: a part of an earlier state may concern thousands. */
function listSeen({ update, hosts }: StreamEntry): ReadonlyMap<string, SeenPart> {
  const seen = new Map<string, SeenPart>();
  const hostsOf = new Map(hosts);
  for (const event of update?.events ?? []) {
    for (const party of event.witnesses) {
      for (const host of hostsOf.get(party) ?? []) {
        const known = seen.get(host) ?? { parties: new Set(), events: [] };
        if (known.events.length === 0) seen.set(host, known);
        known.parties.add(party);
        if (known.events.at(-1) !== event) known.events.push(event);
      }
    }
  }
  return seen;
}

/**
 * From the view of all parties to the view of some: the active contracts change for them if one of them is a stakeholder. What differs
 * stands once in an event's text, because quotes within its strings are escaped.
 */
function projectText(event: StreamEvent, text: string, parties: ReadonlySet<string>): string {
  const { signatories, observers } = event;
  const isStakeholder = [...signatories, ...observers].some((party) => parties.has(party));
  const witnesses = event.witnesses.filter((party) => parties.has(party));
  const acsDelta = event.acsDelta && isStakeholder;
  if (witnesses.length === event.witnesses.length && acsDelta === event.acsDelta) return text;
  // A function, because a party may have the signs of a pattern.
  return text.replace(formatView(event), () => formatView({ witnesses, acsDelta }));
}

function formatView({ witnesses, acsDelta }: Pick<StreamEvent, "witnesses" | "acsDelta">): string {
  return `"witnesses":${JSON.stringify(witnesses)},"acsDelta":${acsDelta}`;
}

function formatUpdate({ updateId, ledgerTime }: StreamUpdate, events: readonly string[]): string {
  const [id, time] = [JSON.stringify(updateId), JSON.stringify(ledgerTime)];
  return formatObject({ updateId: id, ledgerTime: time, events: `[${concatenate(events)}]` });
}

/** The JSON of an object whose values are JSON texts. */
function formatObject(values: Readonly<Record<string, string>>): string {
  return `{${concatenate(Object.entries(values).map(([name, value]) => `"${name}":${value}`))}}`;
}

/** Texts of one entry, with commas between them. Unlike `join`, it copies none of the texts, which are long. */
function concatenate(texts: readonly string[]): string {
  return texts.reduce((all, text) => (all === "" ? text : `${all},${text}`), "");
}

export function chainStreamDigest(hash: Hash, previous: string, position: number, body: string): string {
  return hash(`${previous}\n${position}\n${body}`);
}
