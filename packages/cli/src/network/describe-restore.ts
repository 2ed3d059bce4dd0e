/** The outcome of `callsign log restore` for people, with the next step. */

import type { RestoredLog } from "@callsign/sv";
import { countToDisprove, type DecidedEntry, type HeldEntry, type RestoreEnd } from "@callsign/synchronizer";

interface Setting {
  /** The log's place. */
  readonly place: string;
  readonly applies: boolean;
}

export function describeDecisions(outcome: RestoredLog, { place, applies }: Setting): string {
  const { before, head, chosen, dropped, silent, end } = outcome;
  const isSame = head.sequence === before.sequence;
  const span = isSame ? "none" : `${before.sequence + 1} to ${head.sequence}, ${head.entryHash}`;
  const lines: readonly string[] = [
    `The log ended with entry ${before.sequence}, ${before.entryHash}: ${place}`,
    `  ${applies ? "restored" : "to restore"}: ${span}`,
    ...chosen.map((entry) => `  by the operator's word: ${describe(entry)}`),
    ...dropped.map(
      (entry) => `  dropped${entry.by === "word" ? " by the operator's word" : ""}: ${describe(entry)}`,
    ),
    ...[...silent].map(([id, reason]) => `  not heard: ${nameOf(id)} (${reason})`),
    ...describeCut(outcome, applies),
    ...describeOthers(outcome),
  ];
  const isChange = !isSame || outcome.cutBehind !== null;
  const last = describeEnd({ applies, isChange, isWhole: end.kind === "whole" });
  return [...lines, ...last].map((line) => `${line}\n`).join("");
}

function describeEnd(given: {
  readonly applies: boolean;
  readonly isChange: boolean;
  readonly isWhole: boolean;
}): readonly string[] {
  const { applies, isChange, isWhole } = given;
  if (isChange && !applies) return ["Nothing was changed. Run the command with --yes to do this."];
  if (!isWhole) return [];
  return [isChange ? "The log is whole. Start this SV." : "The log is whole: there is nothing to restore."];
}

function describe({ sequence, entryHash, holders }: HeldEntry): string {
  return `entry ${sequence}:${entryHash}, held by ${holders.map(nameOf).join(", ")}`;
}

function describeCut({ cutBehind, keptAside }: RestoredLog, applies: boolean): readonly string[] {
  if (cutBehind === null) return [];
  const what = `  this SV's copy ${applies ? "was" : "is to be"} cut behind entry ${cutBehind.sequence}`;
  return [
    keptAside === null
      ? `${what}; its replica will be rebuilt`
      : `${what}; the entries are in ${keptAside}, and the next start rebuilds its replica`,
  ];
}

/** Other SVs that hold a dropped entry do not follow the log until their copies are cut as well. */
function describeOthers({ dropped, own }: RestoredLog): readonly string[] {
  const holders = new Set(dropped.flatMap((entry: DecidedEntry) => entry.holders));
  const others = [...holders].filter((id) => !own.includes(id));
  if (others.length === 0) return [];
  return [
    `  next: ${others.map(nameOf).join(", ")} must cut dropped entries: stop each of these SVs, run callsign log restore --yes ` +
      "beside it, and start it",
  ];
}

/** The place that cannot be decided, and the ways on. */
export function describeWait(
  { sequence, entries, awaited }: Extract<RestoreEnd, { readonly kind: "waits" }>,
  { network: { svs }, silent }: Pick<RestoredLog, "network" | "silent">,
): string {
  const held = entries.map((entry) => describe(entry)).join("; ");
  const what = `entry ${sequence} is undecided (${held || "nobody has shown one"})`;
  if (awaited.length === 0)
    return (
      `${what}: any of them may have been acknowledged. Ask the operators of the SVs which one stands, and name it with ` +
      `--keep ${entries.map(({ entryHash }) => `${sequence}:${entryHash}`).join(" or --keep ")}`
    );
  const missing = awaited.map((id) => `${nameOf(id)} (${silent.get(id) ?? "it has not shown this place"})`);
  return (
    `${what}: ${countToDisprove(svs.length)} of ${svs.length} SVs must show that they hold no other. Start ${missing.join(", ")} and ` +
    `run the command again. If the copy of one is lost for ever, add --lost ${nameOf(awaited[0] ?? "")}`
  );
}

/** SVs are known by the part of their ids before the key. */
function nameOf(id: string): string {
  return id.split("::")[0] ?? id;
}
