/**
 * The terms of the log's server in which an SV has copied entries, or has said what it holds, in that order. Nothing is copied from
 * a server of an earlier one: an entry that the SV has said to lack may have been dropped since, or another one stands in its place.
 */
import { type Host, unwritableBy } from "@callsign/node";
import { MAX_COPY_TERMS } from "../limits/limits.ts";
import type { IsLaterTerm } from "./ordered-log.ts";

/**
 * True if the SV has been in a later term. A term that it has not heard of is taken for a new one if the names of terms do not
 * tell.
 */
export function isFormerTerm(terms: readonly string[], term: string, isLater?: IsLaterTerm): boolean {
  const last = terms.at(-1);
  if (last === undefined || last === term) return false;
  return terms.includes(term) || isLater?.(term, last) === false;
}

/** The terms once the SV is in this one, which is no former one. */
export function enterTerm(terms: readonly string[], term: string): readonly string[] {
  return terms.at(-1) === term ? terms : [...terms, term].slice(-MAX_COPY_TERMS);
}

/** Kept in a file beside the copy. */
export class CopyTerms {
  readonly #path: string;
  readonly #files: Host["files"];
  readonly #isLater: IsLaterTerm | undefined;
  #terms: readonly string[];

  constructor(path: string, files: Host["files"], isLater?: IsLaterTerm) {
    this.#isLater = isLater;
    this.#path = path;
    this.#files = files;
    this.#terms = (files.read(path) ?? "").split("\n").filter((term) => term !== "");
  }

  isFormer(term: string): boolean {
    return isFormerTerm(this.#terms, term, this.#isLater);
  }

  /** Returns false if the SV is in this term already. The file is written before; throws a `StoreUnwritable` if it cannot be. */
  enter(term: string): boolean {
    const terms = enterTerm(this.#terms, term);
    if (terms === this.#terms) return false;
    try {
      this.#files.write(this.#path, `${terms.join("\n")}\n`);
    } catch (error) {
      throw unwritableBy(error as Error, this.#path);
    }
    this.#terms = terms;
    return true;
  }
}
