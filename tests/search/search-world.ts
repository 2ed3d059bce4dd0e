/** The search through a small world, and the invariants that hold in all of its states. */
import { decideStanding } from "../../packages/synchronizer/src/peers/decide-standing.ts";
import { agree, headOf, remember } from "./entries.ts";
import { type Bounds, type Explored, explore } from "./explore.ts";
import { LOST_BY_RESTORE } from "./restore-steps.ts";
import { BEGINNING, decode, encode, type Server, type World, type WorldRules } from "./small-world.ts";
import { takeableBy } from "./takeable.ts";
import { stepsOf } from "./world-steps.ts";

export const FORK = "two participants take different items at one place";
export const LOST = "the log has another entry in the place of an acknowledged one";
export const CLEARED = "a term is cleared whose log lacks an acknowledged entry";
export const HALTED = "an SV with the acknowledged history is told that it is in the minority";

export interface SearchRules extends WorldRules {
  /** The SVs that must deliver the same item; null: a quorum. */
  readonly threshold: number | null;
}

export function searchWorld(rules: SearchRules, bounds: Bounds): Explored {
  const takeable = takeableBy(rules.threshold);
  /** The last entries that any participant can have taken, of `copy,cut,cut copy …`: each SV may have been heard before a cut. */
  const acknowledgedBy = remember((key): readonly string[] => {
    const heard = key.split(" ").map((sv) => sv.split(","));
    const ends = new Set<string>();
    const [first = [], second = [], third = []] = heard;
    for (const a of first)
      for (const b of second)
        for (const c of third)
          for (const lie of new Set([a, b, c])) for (const end of takeable([a, b, c, lie])) ends.add(end);
    return [...ends].filter((end) => ![...ends].some((other) => other !== end && other.startsWith(end)));
  });
  const acknowledged = ({ svs }: World) =>
    acknowledgedBy(
      svs
        .map(({ copy, cut }) => [copy, ...cut].join())
        .sort()
        .join(" "),
    );
  const check = (state: string): string | null => {
    if (state === LOST_BY_RESTORE) return LOST_BY_RESTORE;
    const world = decode(state);
    const [end = "", ...others] = acknowledged(world);
    if (others.length > 0) return FORK;
    const { log, isCleared } = world.servers.at(-1) as Server;
    if (!agree(log, end)) return LOST;
    if (isCleared && !log.startsWith(end)) return CLEARED;
    return isHalted([end, ...world.svs.map(({ copy }) => copy)].join()) ? HALTED : null;
  };
  const steps = (state: string) => {
    const world = decode(state);
    return stepsOf(world, rules, acknowledged(world)[0] ?? "");
  };
  return explore({ start: encode(BEGINNING), steps, check }, bounds);
}

/** Of `end,copy,copy,copy`: an SV that has everything acknowledged is found wrong, while all honest SVs answer and the liar says anything. */
const isHalted = remember((key): boolean => {
  const [end = "", ...copies] = key.split(",");
  const place = end.length;
  if (place === 0) return false;
  const digestOf = (history: string) => headOf(history.slice(0, place)).entryHash;
  return copies.some((own, i) => {
    if (!own.startsWith(end)) return false;
    const answers = copies.flatMap((copy, other) =>
      other === i || copy.length < place ? [] : [[`sv-${other}`, digestOf(copy)] as const],
    );
    return copies.some((lie) => {
      const others = new Map([...answers, ["liar", digestOf(lie)] as const]);
      return decideStanding({ svs: 4, own: digestOf(own), others }).kind === "minority";
    });
  });
});
