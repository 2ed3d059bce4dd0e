/**
 * The network that a log begins, read without the log: from the content and the record time of the entry that founds or
 * continues it. The network's id is the hash of both, so the SVs of a known id need nobody's word.
 */
import type { Hash } from "../values/hash.ts";
import { formatPartyId } from "../values/party-id.ts";
import { utf8Length } from "../values/text.ts";
import type { Time } from "../values/time.ts";
import type { EntryContent, FoundNetwork } from "./entry-content.ts";
import { dsoNamespaceOf, memberIdOf } from "./key.ts";
import type { LogEntry } from "./log-entry.ts";
import { networkIdOf } from "./network-beginning.ts";
import { readContent } from "./read-content.ts";
import { continuedTime } from "./record-time.ts";

export interface Beginning {
  readonly content: string;
  /** The record time of the entry. */
  readonly time: Time;
}

export interface BegunNetwork {
  readonly id: string;
  readonly dso: string;
  readonly synchronizerId: string;
  readonly migrationId: bigint;
  /** The member ids of the SVs. */
  readonly svs: readonly string[];
}

/** The beginning that the first entry of a log is; null if it begins no network. */
export function beginningOf({ content, stampedAt }: LogEntry): Beginning | null {
  // Signed stamps come with a protocol version that an entry of the network activates.
  if (stampedAt === null) return null;
  const read = findContent(content);
  // The clock is moved by entries behind the founding.
  if (read?.tag === "FoundNetwork") return { content, time: stampedAt };
  return read?.tag === "ContinueNetwork" ? { content, time: continuedTime(stampedAt, read.value) } : null;
}

/** Null if the content is not that of an entry that begins a network. */
export function readBeginning(hash: Hash, { content, time }: Beginning): BegunNetwork | null {
  const read = findContent(content);
  if (read === null) return null;
  const id = networkIdOf(hash, { now: time, seed: hash(content) });
  if (read.tag === "FoundNetwork") return readFounding(hash, id, read.value);
  if (read.tag !== "ContinueNetwork") return null;
  const { dso, synchronizerId, previous, svs } = read.value;
  return { id, dso, synchronizerId, migrationId: previous.migrationId + 1n, svs: svs.map((sv) => sv.id) };
}

function findContent(content: string): EntryContent | null {
  const read = readContent({ content, signatures: [] }, utf8Length(content));
  return "code" in read ? null : read;
}

function readFounding(hash: Hash, id: string, entry: FoundNetwork): BegunNetwork | null {
  const keys = entry.svs.map(({ namespaceKey }) => namespaceKey);
  const namespace = dsoNamespaceOf(hash, keys);
  const dso = formatPartyId({ hint: entry.dsoHint, namespace });
  const synchronizer = formatPartyId({ hint: entry.synchronizerName, namespace });
  const svs = entry.svs.map((sv) => memberIdOf(hash, sv.nodeIdentifier, sv.namespaceKey));
  if (!dso.ok || !synchronizer.ok) return null;
  const ids = svs.flatMap((sv) => (sv.ok ? [sv.value] : []));
  if (ids.length !== svs.length) return null;
  const { migrationId } = entry;
  return { id, dso: dso.value, synchronizerId: synchronizer.value, migrationId, svs: ids };
}
