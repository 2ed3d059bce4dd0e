/**
 * One item of a member's stream: a log entry, projected onto the parties that the member hosts. Its text is the same on every
 * replica, whether it is made with the entry or from the kept one later: digests are chained over it.
 */
import type { StreamEvent, StreamItem } from "@callsign/api";
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

  constructor(entry: StreamEntry) {
    this.#entry = entry;
    this.#seen = listSeen(entry);
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
    const item: StreamItem = {
      recordTime,
      completion: this.#completionFor(member),
      update:
        update === null || seen === undefined
          ? null
          : { ...update, events: seen.events.map((event) => projectEvent(event, seen.parties)) },
      hostings: this.#hostingsFor(member),
    };
    return JSON.stringify(item);
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

/** From the view of all parties to the view of some: the active contracts change for them if one of them is a stakeholder. */
function projectEvent(event: StreamEvent, parties: ReadonlySet<string>): StreamEvent {
  const witnesses = event.witnesses.filter((party) => parties.has(party));
  const isStakeholder = [...event.signatories, ...event.observers].some((party) => parties.has(party));
  return { ...event, witnesses, acsDelta: event.acsDelta && isStakeholder };
}

export function chainStreamDigest(hash: Hash, previous: string, position: number, body: string): string {
  return hash(`${previous}\n${position}\n${body}`);
}
