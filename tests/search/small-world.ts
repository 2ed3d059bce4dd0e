/**
 * A world of four SVs, one of which lies, on an ordering engine whose server changes and may lose the log's tail. The server
 * before goes on for the SVs that still hear it: the engine shows two histories. An SV's copy is a history.
 */
import { enterTerm, isFormerTerm } from "../../packages/synchronizer/src/log/copy-terms.ts";
import { isLaterTimeline } from "../../packages/synchronizer/src/log/postgres-term.ts";
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
  /** The terms in which it has copied entries, or has said what it holds, as letters. */
  readonly terms: string;
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
  /** An SV copies nothing from servers of terms that it has left. */
  readonly keepsToTerm: boolean;
  /** The liar appends without clearing the term. */
  readonly liarAppends: boolean;
}

/** Everybody has the first entry. */
export const BEGINNING: World = {
  servers: [{ log: "a", isCleared: true }],
  svs: [1, 2, 3].map(() => ({ copy: "a", cut: [], stated: null, shown: null, terms: "a" })),
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
  const { copy, cut, stated, shown, terms } = sv;
  return `${copy} ${cut.join()} ${stated ?? "-"} ${shown ?? "-"} ${terms}`;
}

export function decode(text: string): World {
  const [terms = "", ...svs] = text.split("\n");
  return { servers: readServers(terms), svs: svs.map(readSv) };
}

const readServers = remember((terms): readonly Server[] =>
  terms.split(" ").map((term) => ({ log: term.replace("?", ""), isCleared: !term.endsWith("?") })),
);

const readSv = remember((line): Sv => {
  const [copy, cut, stated, shown, terms] = line.split(" ") as Fields;
  const sv = {
    ...{ copy, cut: cut === "" ? [] : cut.split(","), terms },
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

/** The terms of an SV that has copied something in this one, or has said in it what it holds. */
export function termsIn(index: number, { terms }: Sv): Pick<Sv, "terms"> {
  return { terms: enterTerm([...terms], termAt(index)).join("") };
}

/** By the rule for terms of PostgreSQL, whose names tell their order. */
export function hasLeft({ terms }: Sv, index: number): boolean {
  return isLeft(terms + termAt(index));
}

/** Of the terms, and one more. */
const isLeft = remember((letters): boolean => {
  const names = [...letters].map(nameOf);
  return isFormerTerm(names.slice(0, -1), names.at(-1) ?? "", isLaterTimeline);
});

function nameOf(letter: string): string {
  return `system ${letter} nonce`;
}

export function termAt(index: number): string {
  return "abcdef".charAt(index);
}

/** All histories that anybody has, or had. */
export function listHistories({ servers, svs }: World): readonly string[] {
  const all = [...servers.map(({ log }) => log), ...svs.flatMap(({ copy, cut }) => [copy, ...cut])];
  return [...new Set(all)];
}
