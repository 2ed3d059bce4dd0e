/**
 * A world of four SVs, one of which lies, on an ordering engine whose server changes and may lose the log's tail. The server
 * before goes on for the SVs that still hear it: the engine shows two histories. An SV's copy is a history.
 */
import { remember } from "./entries.ts";

/** An honest SV. */
export interface Sv {
  /** Its synced copy of the log. */
  readonly copy: string;
  /** Histories that it delivered before a restore cut its copy. */
  readonly cut: readonly string[];
  /** Its copy when it stated in this term what it holds; null if it did not. */
  readonly stated: string | null;
  /** Its copy when it was shown to a restore; null if it was not. */
  readonly shown: string | null;
  /** It copies nothing from servers of earlier terms. */
  readonly firstTerm: number;
}

export interface Server {
  readonly log: string;
  /** An honest sequencer may append to it. */
  readonly isCleared: boolean;
}

export interface World {
  /** One for each term; the last one is in office. */
  readonly servers: readonly Server[];
  readonly svs: readonly Sv[];
}

export interface WorldRules {
  /** The terms of the log's server. */
  readonly terms: number;
  /** The places of the log. */
  readonly places: number;
  /** The SVs that must hold nothing beyond the log's end in a new term. */
  readonly neededToClear: number;
  /** An SV that made a statement in a term, or showed its copy, copies nothing from servers of earlier terms after that. */
  readonly keepsToTerm: boolean;
  /** The liar appends without clearing the term. */
  readonly liarAppends: boolean;
}

/** Everybody has the first entry. */
export const BEGINNING: World = {
  servers: [{ log: "a", isCleared: true }],
  svs: [1, 2, 3].map(() => ({ copy: "a", cut: [], stated: null, shown: null, firstTerm: 0 })),
};

type Fields = [string, string, string, string, string];

/** By SV, so that an SV that does not change is written once. */
const lines = new WeakMap<Sv, string>();

/** Equal for worlds that differ in the numbers of honest SVs alone. */
export function encode({ servers, svs }: World): string {
  const terms = servers.map(({ log, isCleared }) => (isCleared ? log : `${log}?`)).join(" ");
  return `${terms}\n${svs.map(lineOf).sort().join("\n")}`;
}

function lineOf(sv: Sv): string {
  const known = lines.get(sv);
  if (known !== undefined) return known;
  const { copy, cut, stated, shown, firstTerm } = sv;
  return `${copy} ${cut.join()} ${stated ?? "-"} ${shown ?? "-"} ${firstTerm}`;
}

export function decode(text: string): World {
  const [terms = "", ...svs] = text.split("\n");
  return { servers: readServers(terms), svs: svs.map(readSv) };
}

const readServers = remember((terms): readonly Server[] =>
  terms.split(" ").map((term) => ({ log: term.replace("?", ""), isCleared: !term.endsWith("?") })),
);

const readSv = remember((line): Sv => {
  const [copy, cut, stated, shown, firstTerm] = line.split(" ") as Fields;
  const sv = {
    ...{ copy, cut: cut === "" ? [] : cut.split(","), firstTerm: Number(firstTerm) },
    ...{ stated: stated === "-" ? null : stated, shown: shown === "-" ? null : shown },
  };
  lines.set(sv, line);
  return sv;
});

/** The world with another SV in the place of one. */
export function replaceSv(world: World, index: number, change: Partial<Sv>): World {
  return { ...world, svs: world.svs.map((sv, i) => (i === index ? { ...sv, ...change } : sv)) };
}

/** The world with another server in the place of one. */
export function withServer(world: World, index: number, server: Server): World {
  return { ...world, servers: world.servers.map((before, i) => (i === index ? server : before)) };
}

/** All histories that anybody has, or had. */
export function listHistories({ servers, svs }: World): readonly string[] {
  const all = [...servers.map(({ log }) => log), ...svs.flatMap(({ copy, cut }) => [copy, ...cut])];
  return [...new Set(all)];
}
