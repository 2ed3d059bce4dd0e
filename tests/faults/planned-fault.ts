/** Faults drawn from a seed: each happens at its time, to its victims, and ends after a while. They overlap. */
import type { Random } from "../support/random.ts";

/** The processes that faults can be drawn for, by their names. */
export interface Field {
  readonly svs: readonly string[];
  /** Processes beside SVs and nodes. */
  readonly others: readonly string[];
  /** The three servers of the log's engine. */
  readonly nodes: readonly string[];
  /** True if the engine has a primary that the test replaces. */
  readonly canFailOver: boolean;
}

/** A machine that loses whatever it sends to another. */
export interface Loss {
  readonly from: string;
  readonly to: string;
}

export type FaultKind =
  | { readonly kind: "kill" | "pause" | "full disk"; readonly victim: string }
  | { readonly kind: "slow disk"; readonly victim: string; readonly syncMilliseconds: number }
  | { readonly kind: "lost nodes"; readonly victims: readonly string[] }
  | { readonly kind: "partition"; readonly shape: string; readonly losses: readonly Loss[] }
  | { readonly kind: "clock"; readonly victim: string; readonly offsetMilliseconds: number }
  | { readonly kind: "failover"; readonly isIsolated: boolean };

export type PlannedFault = FaultKind & {
  readonly number: number;
  /** Since the first fault could begin. */
  readonly atMilliseconds: number;
  readonly milliseconds: number;
};

const LONGEST_GAP_MILLISECONDS = 5000;
const DAY_MILLISECONDS = 86_400_000;
/** Steps of a clock, forward and back: from less than the tolerance of 60 s to a year. */
const STEPS = [500, 20_000, 59_000, 90_000, 3_600_000, DAY_MILLISECONDS, 365 * DAY_MILLISECONDS];

interface Drawer {
  readonly weight: number;
  /** The shortest and the longest time. */
  readonly milliseconds: readonly [number, number];
  readonly draw: (field: Field, random: Random) => FaultKind;
}

const everybody = ({ svs, others, nodes }: Field) => [...svs, ...others, ...nodes];
const withDisk = ({ svs, nodes }: Field) => [...svs, ...nodes];

const DRAWERS: readonly Drawer[] = [
  {
    ...{ weight: 8, milliseconds: [0, 3000] },
    draw: (field, random) => ({ kind: "kill", victim: random.pick(everybody(field)) }),
  },
  {
    ...{ weight: 3, milliseconds: [300, 6000] },
    draw: (field, random) => ({ kind: "pause", victim: random.pick(everybody(field)) }),
  },
  {
    ...{ weight: 2, milliseconds: [3000, 5000] },
    draw: ({ nodes }, random) => ({
      kind: "lost nodes",
      victims: random.shuffle(nodes).slice(0, random.between(2, 3)),
    }),
  },
  {
    ...{ weight: 6, milliseconds: [500, 6000] },
    draw: (field, random) => ({ kind: "partition", ...drawPartition(field, random) }),
  },
  {
    ...{ weight: 2, milliseconds: [500, 3000] },
    draw: (field, random) => ({ kind: "full disk", victim: random.pick(withDisk(field)) }),
  },
  {
    ...{ weight: 2, milliseconds: [1000, 5000] },
    draw: (field, random) => ({
      ...{ kind: "slow disk", victim: random.pick(withDisk(field)) },
      syncMilliseconds: random.between(20, 400),
    }),
  },
  {
    ...{ weight: 4, milliseconds: [500, 6000] },
    draw: ({ svs, others }, random) => ({
      ...{ kind: "clock", victim: random.pick([...svs, ...svs, ...others]) },
      offsetMilliseconds: random.pick(STEPS) * random.pick([1, -1]),
    }),
  },
];

const FAILOVER: Drawer = {
  ...{ weight: 4, milliseconds: [0, 1000] },
  draw: (_, random) => ({ kind: "failover", isIsolated: random.chance(0.4) }),
};

export function planFaults(count: number, field: Field, random: Random): readonly PlannedFault[] {
  const drawers = field.canFailOver ? [...DRAWERS, FAILOVER] : DRAWERS;
  let atMilliseconds = 0;
  return Array.from({ length: count }, (_, i) => {
    const { draw, milliseconds } = random.pickByWeight(drawers);
    atMilliseconds += random.below(LONGEST_GAP_MILLISECONDS);
    const [least, most] = milliseconds;
    const when = { number: i + 1, atMilliseconds, milliseconds: random.between(least, most) };
    return { ...draw(field, random), ...when };
  });
}

/** One machine alone; two halves; two machines that lose each other while others reach both; one direction only. */
function drawPartition(
  field: Field,
  random: Random,
): { readonly shape: string; readonly losses: readonly Loss[] } {
  const all = random.shuffle(everybody(field));
  const shape = random.pick(["alone", "halves", "bridge", "one way"] as const);
  const size = { alone: 1, halves: random.between(2, all.length - 2), bridge: 1, "one way": 1 }[shape];
  const [group, rest] = [all.slice(0, size), all.slice(size)];
  const others = shape === "bridge" ? rest.slice(0, 1) : rest;
  const losses = group.flatMap((from) => others.map((to) => ({ from, to })));
  const back = losses.map(({ from, to }) => ({ from: to, to: from }));
  const chosen = shape !== "one way" ? [...losses, ...back] : random.pick([losses, back]);
  return { shape: `${shape}: ${group.join(", ")} | ${others.join(", ")}`, losses: chosen };
}

export function describeFault(fault: PlannedFault): string {
  const { number, atMilliseconds, milliseconds } = fault;
  const time = `${(atMilliseconds / 1000).toFixed(1)} s +${(milliseconds / 1000).toFixed(1)} s`;
  return `${number}. at ${time}: ${fault.kind} ${detailOf(fault)}`;
}

function detailOf(fault: PlannedFault): string {
  switch (fault.kind) {
    case "kill":
    case "pause":
    case "full disk":
      return fault.victim;
    case "slow disk":
      return `${fault.victim}, ${fault.syncMilliseconds} ms a sync`;
    case "lost nodes":
      return fault.victims.join(", ");
    case "partition":
      return fault.shape;
    case "clock":
      return `${fault.victim} by ${fault.offsetMilliseconds / 1000} s`;
    case "failover":
      return fault.isIsolated ? "from a primary that is cut off" : "from a killed primary";
  }
}
