/** The beginning of a log that exists: its first entry founds a network, or goes on with one. */
import {
  AnsRules,
  type BegunNetwork,
  beginningOf,
  type EntryContent,
  type Envelope,
  type FoundNetwork,
  type LogEntry,
  MAX_PART_BYTES,
  parseLogEntry,
  readBeginning,
  readContent,
} from "@callsign/ledger";
import { sha256 } from "@callsign/node";
import { type OrderedLog, readFirstEntry } from "@callsign/synchronizer";

type Beginning = Extract<EntryContent, { readonly tag: "FoundNetwork" | "ContinueNetwork" }>;

/** Terms that hold for a network's life, under every migration id. */
export interface LastingTerms extends Pick<FoundNetwork, "ansRulesConfig"> {
  /** In lower case. */
  readonly acronym: string;
}

/** Null if the log has no network, or goes on with one whose terms were trimmed. */
export async function findLastingTerms(log: OrderedLog): Promise<LastingTerms | null> {
  const beginning = await findBeginning(log);
  if (beginning === null) return null;
  const acronym = beginning.value.acronym.toLowerCase();
  if (beginning.tag === "FoundNetwork") return { acronym, ansRulesConfig: beginning.value.ansRulesConfig };
  for await (const entry of readEntries(log)) {
    // Parts are large, and only one of them has the contract.
    const part = entry.content.includes(AnsRules.id) ? read(entry) : null;
    const contracts = part?.tag === "ImportState" ? part.value.contracts : [];
    const rules = contracts.find(({ templateId }) => templateId === AnsRules.id);
    if (rules !== undefined)
      return { acronym, ansRulesConfig: AnsRules.record.decode(JSON.parse(rules.payload)).config };
  }
  return null;
}

/** The migration id of the log's network; null if it has none. */
export async function findMigrationId(log: OrderedLog): Promise<bigint | null> {
  const beginning = await findBeginning(log);
  if (beginning === null) return null;
  return beginning.tag === "FoundNetwork"
    ? beginning.value.migrationId
    : beginning.value.previous.migrationId + 1n;
}

/** Null if the log is empty, or begins with anything else. */
async function findBeginning(log: OrderedLog): Promise<Beginning | null> {
  const first = await findFirstEntry(log);
  const content = first && read(first);
  return content?.tag === "FoundNetwork" || content?.tag === "ContinueNetwork" ? content : null;
}

/** The network that the log begins, as soon as it has an entry; null if it begins with anything else. */
export async function findBegunNetwork(log: OrderedLog, signal: AbortSignal): Promise<BegunNetwork | null> {
  const entry = parseLogEntry((await readFirstEntry(log, signal)) ?? "");
  signal.throwIfAborted();
  const beginning = entry.ok ? beginningOf(entry.value) : null;
  return beginning && readBeginning(sha256, beginning);
}

/** Null if the log is empty, its first entry is damaged, or it was trimmed and is kept nowhere. */
export async function findFirstEntry(log: OrderedLog): Promise<LogEntry | null> {
  if ((await log.head()).sequence === 0) return null;
  const entry = parseLogEntry((await readFirstEntry(log, new AbortController().signal)) ?? "");
  return entry.ok ? entry.value : null;
}

/** The entries that are there now, from the first of all on; one that is damaged ends them. None if that one was trimmed. */
async function* readEntries(log: OrderedLog): AsyncGenerator<LogEntry> {
  const { sequence } = await log.head();
  let count = (await log.start()).sequence;
  if (count > 0 || count === sequence) return;
  for await (const { entries } of log.follow(0, new AbortController().signal)) {
    for (const text of entries) {
      const entry = parseLogEntry(text);
      if (!entry.ok) return;
      yield entry.value;
      if (++count === sequence) return;
    }
  }
}

function read(entry: Envelope): EntryContent | null {
  const content = readContent(entry, Buffer.byteLength(entry.content), MAX_PART_BYTES);
  return "tag" in content ? content : null;
}
