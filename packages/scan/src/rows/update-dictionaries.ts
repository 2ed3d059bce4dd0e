/**
 * The dictionaries that updates are packed with. One is made of the first updates that a replica sees, and another one from
 * time to time, since updates change over the years. Every row names its own, so none is ever deleted.
 */
import { BoundedMap } from "@callsign/node";
import { CheckedRows, type CheckedTable, type SummedDatabase } from "@callsign/synchronizer";
import { Dictionary, makeDictionary, NO_DICTIONARY } from "./packed-text.ts";

export const DICTIONARY_TABLE = `
  create table update_dictionary (id integer primary key, ids text not null, body text not null) strict;
`;

export const DICTIONARIES = {
  table: "update_dictionary",
  columns: ["id", "ids", "body"],
} as const satisfies CheckedTable;

/** Updates that are seen before the first dictionary, and between two. */
const FIRST_AFTER = 64;
const NEXT_AFTER = 50_000;

/** The characters of texts that a dictionary is made of; ids, most of them, do not count in the dictionary. */
const MAX_CHARACTERS = 48_000;

export interface NumberedDictionary {
  readonly id: bigint;
  readonly dictionary: Dictionary;
}

const NONE: NumberedDictionary = { id: 0n, dictionary: NO_DICTIONARY };

/** Dictionaries of the SVs in one process, which are made of the same updates, are the same objects. */
const shared = new BoundedMap<string, Dictionary>({ limit: 16 });

export function openUpdateDictionaries({ database, sums }: SummedDatabase) {
  const rows = new CheckedRows(database, DICTIONARIES, sums);
  const last = database.prepare("select max(id) as id from update_dictionary");
  const memory = new Map<bigint, Dictionary>([[NONE.id, NONE.dictionary]]);
  /** The last text of each kind of update. */
  const samples = new Map<string, string>();
  let seen = 0;
  let current: NumberedDictionary | null = null;

  function get(id: bigint): Dictionary {
    let dictionary = memory.get(id);
    if (dictionary === undefined) {
      const row = rows.find(id);
      if (row === undefined) throw new Error(`updates name dictionary ${id}, which is not there`);
      dictionary = share(JSON.parse(row["ids"] as string), row["body"] as string);
      memory.set(id, dictionary);
    }
    return dictionary;
  }

  function findCurrent(): NumberedDictionary {
    const id = (last.get()?.["id"] ?? NONE.id) as bigint;
    return { id, dictionary: get(id) };
  }

  function makeNext(id: bigint): NumberedDictionary {
    const made = makeDictionary([...samples.values()].reverse());
    const body = made.text.toString();
    rows.insert(id, JSON.stringify(made.ids), body);
    const dictionary = share(made.ids, body);
    memory.set(id, dictionary);
    return { id, dictionary };
  }

  return {
    get,
    /** The dictionary for a text of a kind, such as the choice it begins with. */
    choose: (kind: string, text: string): NumberedDictionary => {
      current ??= findCurrent();
      remember(samples, kind, text);
      seen++;
      if (seen < (current.id === NONE.id ? FIRST_AFTER : NEXT_AFTER)) return current;
      seen = 0;
      current = makeNext(current.id + 1n);
      return current;
    },
    reload: () => {
      current = null;
      memory.clear();
      memory.set(NONE.id, NONE.dictionary);
    },
  };
}

/** The newest samples, as many as a dictionary takes. */
function remember(samples: Map<string, string>, kind: string, text: string): void {
  samples.delete(kind);
  if (text.length > MAX_CHARACTERS / 4) return;
  samples.set(kind, text);
  let characters = 0;
  for (const each of samples.values()) characters += each.length;
  for (const [oldest, each] of samples) {
    if (characters <= MAX_CHARACTERS) return;
    samples.delete(oldest);
    characters -= each.length;
  }
}

function share(ids: readonly string[], body: string): Dictionary {
  return shared.getOrMake(JSON.stringify([ids, body]), () => new Dictionary(ids, body));
}
