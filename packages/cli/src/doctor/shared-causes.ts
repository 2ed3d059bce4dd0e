/** Faults with one cause: the cause is told once, and its effects point to it. */
import { type Examination, fault } from "./examination.ts";
import { MAX_CLOCK_SKEW_MILLISECONDS } from "./limits.ts";

export const SYNCHRONISE = "Synchronise this machine's clock with a time server (timedatectl, chrony)";

/** If several servers agree on the time, this machine's clock is the one that is wrong. */
export function mergeClocks(examinations: readonly Examination[]): readonly Examination[] {
  const skews = examinations.flatMap(({ skewSeconds }) => (skewSeconds === undefined ? [] : [skewSeconds]));
  const [least, most] = [Math.min(...skews), Math.max(...skews)];
  if (skews.length < 2 || 1000 * (most - least) > MAX_CLOCK_SKEW_MILLISECONDS) return examinations;
  const direction = least > 0 ? "behind" : "ahead of";
  const said = `it is ${Math.abs(least)} seconds ${direction} the clocks of ${skews.length} servers`;
  const others = examinations.filter(({ skewSeconds }) => skewSeconds === undefined);
  return [...others, fault("clock of this machine", said, SYNCHRONISE)];
}

const BEHIND_PROXY = "It is reached through the proxy: mend that first";

/** Servers behind a proxy that does not answer have no fault of their own. */
export function blameProxy(
  examinations: readonly Examination[],
  proxy: readonly Examination[],
): readonly Examination[] {
  if (proxy.every(({ isFine }) => isFine)) return [...proxy, ...examinations];
  const rest = examinations.map((each) =>
    /forward proxy \S+ cannot be reached/.test(each.said) ? { ...each, fix: BEHIND_PROXY } : each,
  );
  return [...proxy, ...rest];
}
