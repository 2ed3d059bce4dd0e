/** Restores of a small world's log, by the product's own decision. */
import { decideFork } from "../../packages/synchronizer/src/restore/decide-fork.ts";
import {
  decideRestore,
  type RestoreEvidence,
  type ShownTail,
} from "../../packages/synchronizer/src/restore/decide-restore.ts";
import { beginningsOf, headOf, remember } from "./entries.ts";
import type { Step } from "./explore.ts";
import {
  encode,
  listHistories,
  replaceSv,
  type Server,
  type Sv,
  termsIn,
  type World,
  type WorldRules,
  withServer,
} from "./small-world.ts";

/** The state behind a restore that says that nothing acknowledged is missing, while something is. */
export const LOST_BY_RESTORE = "an acknowledged entry is missing after a restore";

/** A restore that runs beside one SV, with the copies that others have shown, and with anything that the liar shows. */
export function* restores(world: World, { keepsToTerm }: WorldRules, acknowledged: string): Generator<Step> {
  const last = world.servers.length - 1;
  const { log, isCleared } = world.servers[last] as Server;
  const lies = new Set([NOT_SHOWN, log, ...listHistories(world), `${log}xx`]);
  for (const [i, own] of world.svs.entries()) {
    const shown = world.svs.map((sv, other) => (other === i ? own.copy : (sv.shown ?? NOT_SHOWN)));
    const outcomes = new Set<Restored>();
    for (const lie of lies) {
      const copies = [...shown, lie];
      const outcome = decideBeside([i, log, ...copies].join());
      if (outcomes.has(outcome)) continue;
      outcomes.add(outcome);
      const { longer, isCut, isWhole } = outcome;
      const describe = () =>
        `a restore beside the SV with ${own.copy} makes ${log} ${longer}${isCut ? " and cuts its copy" : ""}; ` +
        `shown are ${copies.slice(0, 3).join(", ")}, by the liar ${lie}`;
      if (isWhole && !longer.startsWith(acknowledged)) yield { state: LOST_BY_RESTORE, describe };
      else {
        const svs = world.svs.map((sv) => (sv.shown === null ? sv : { ...sv, shown: null }));
        const change = { ...(isCut ? cutOf(own, longer) : {}), ...(keepsToTerm ? termsIn(last, own) : {}) };
        const next = replaceSv({ ...world, svs }, i, change);
        yield { state: encode(withServer(next, last, { log: longer, isCleared })), describe };
      }
    }
  }
}

function cutOf({ copy, cut }: Sv, log: string): Partial<Sv> {
  return { copy: sharedBy(copy, log), cut: [...new Set([...cut, copy])].sort() };
}

function sharedBy(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}

interface Restored {
  /** The log with the restored entries. */
  readonly longer: string;
  /** The copy beside which the restore runs is cut. */
  readonly isCut: boolean;
  /** Nothing acknowledged is beyond the log. */
  readonly isWhole: boolean;
}

const outcomeOf = remember((key): Restored => {
  const [longer = "", isCut, isWhole] = key.split(",");
  return { longer, isCut: isCut === "true", isWhole: isWhole === "true" };
});

/**
 * Of the index of the SV, the log and what is shown. A copy that has left the log is judged at the place where it did, all
 * others behind the log's end. Equal outcomes are one object.
 */
const decideBeside = remember((key): Restored => {
  const [index = "", log = "", ...copies] = key.split(",");
  const { longer, isCut, isWhole } = decideOwn(Number(index), log, copies);
  return outcomeOf([longer, isCut, isWhole].join());
});

function decideOwn(index: number, log: string, copies: readonly string[]): Restored {
  const own = copies[index] ?? "";
  const common = sharedBy(own, log);
  if (own === common || log === common) return cutIfDropped(own, decide([log, ...copies].join()));
  const inLog = headOf(log.slice(0, common.length + 1));
  const { standing, end } = decideFork(evidenceOf(common, copies), inLog, [SVS[index] ?? ""]);
  return { longer: log, isCut: standing === null && end.kind === "whole", isWhole: false };
}

interface Decided {
  readonly longer: string;
  readonly dropped: readonly string[];
  readonly isWhole: boolean;
}

function cutIfDropped(own: string, { longer, dropped, isWhole }: Decided): Restored {
  return { longer, isCut: dropped.some((history) => own.startsWith(history)), isWhole };
}

const NOT_SHOWN = "-";
const SVS = ["sv-0", "sv-1", "sv-2", "liar"];
/** By the hash of its last entry. */
const historyOf = new Map<string, string>();

function evidenceOf(end: string, copies: readonly string[]): RestoreEvidence {
  const shown = new Map<string, ShownTail>();
  for (const [i, sv] of SVS.entries())
    if (copies[i] !== NOT_SHOWN) shown.set(sv, tailOf(copies[i] ?? "", end));
  return { svs: SVS, end: end.length, shown, words: { lost: new Set(), kept: new Map() } };
}

/** Of `end,copy,copy,copy,lie`. */
const decide = remember((key): Decided => {
  const [end = "", ...copies] = key.split(",");
  const { restored, dropped, end: rest } = decideRestore(evidenceOf(end, copies));
  const historyAt = ({ entryHash }: { readonly entryHash: string }) => historyOf.get(entryHash) ?? "";
  return {
    longer: restored.map(historyAt).at(-1) ?? end,
    dropped: dropped.map(historyAt),
    isWhole: rest.kind === "whole",
  };
});

/** A copy that goes another way shows nothing behind the place. */
function tailOf(copy: string, end: string): ShownTail {
  const behind = copy.startsWith(end) ? beginningsOf(copy).slice(end.length) : [];
  for (const history of behind) historyOf.set(headOf(history).entryHash, history);
  return { entryHashes: behind.map((history) => headOf(history).entryHash), isWhole: true };
}
