/** A search through all states that can be reached from one, breadth first: the first way to a finding is a shortest one. */

export interface Step {
  /** The state after it. Equal states have equal texts. */
  readonly state: string;
  /** In words, for the reader of a finding. */
  readonly describe: () => string;
}

export interface Finding {
  readonly name: string;
  /** The steps that lead to it. */
  readonly steps: readonly string[];
}

export interface Explored {
  readonly states: number;
  /** The first finding of each name. */
  readonly findings: readonly Finding[];
}

export interface Explorable {
  readonly start: string;
  readonly steps: (state: string) => Iterable<Step>;
  /** The name of the broken invariant in a state; null if all hold. Nothing is searched behind a broken one. */
  readonly check: (state: string) => string | null;
}

export interface Bounds {
  readonly maxStates: number;
  /** The search ends once it has found all of these. */
  readonly until?: readonly string[];
}

export function explore(world: Explorable, { maxStates, until = [] }: Bounds): Explored {
  const { start, steps, check } = world;
  const isOver = () => until.length > 0 && until.every((name) => findings.has(name));
  /** By state: the one before it. */
  const before = new Map<string, string>([[start, start]]);
  const findings = new Map<string, Finding>();
  let level = [start];
  while (level.length > 0 && !isOver()) {
    const next: string[] = [];
    for (const state of level) {
      const name = check(state);
      if (name !== null) {
        if (!findings.has(name)) findings.set(name, { name, steps: describeWay(world, before, state) });
        continue;
      }
      for (const step of steps(state)) {
        if (before.has(step.state)) continue;
        before.set(step.state, state);
        next.push(step.state);
      }
    }
    if (before.size > maxStates) throw new Error(`more than ${maxStates} states can be reached`);
    level = next;
  }
  return { states: before.size, findings: [...findings.values()] };
}

function describeWay(
  { start, steps }: Explorable,
  before: ReadonlyMap<string, string>,
  end: string,
): string[] {
  const way: string[] = [];
  for (let state = end; state !== start; ) {
    const previous = before.get(state) ?? start;
    for (const step of steps(previous)) {
      if (step.state !== state) continue;
      way.unshift(step.describe());
      break;
    }
    state = previous;
  }
  return way;
}
