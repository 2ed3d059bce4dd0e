/**
 * The rules of a name, in the page: they answer while the user types. The validator and the SVs decide by the same rules
 * (packages/ledger/src/names/entry-name.ts), whatever the page says.
 */
import type { LabelProblem } from "../words/label-problem.ts";

const MAX_NAME_LENGTH = 60;
const LABEL_CHARACTER = /^[a-z0-9_-]$/;

/** `.unverified.cns` for the acronym `CNS`. */
export function suffixOf(acronym: string): string {
  return `.unverified.${acronym.toLowerCase()}`;
}

/** The part that a user chooses, of a name with or without its suffix. */
export function labelOf(name: string, suffix: string): string {
  const trimmed = name.trim();
  return trimmed.endsWith(suffix) ? trimmed.slice(0, -suffix.length) : trimmed;
}

/** Null for a label that may be registered, and for an empty one. */
export function findLabelProblem(label: string, suffix: string): LabelProblem | null {
  if (label.includes(".")) return { kind: "dot" };
  if (/[A-Z]/.test(label)) return { kind: "capitals" };
  const character = Array.from(label).find((each) => !LABEL_CHARACTER.test(each));
  if (character !== undefined) return { kind: "character", character };
  const longest = MAX_NAME_LENGTH - suffix.length;
  return label.length > longest ? { kind: "too-long", longest } : null;
}
