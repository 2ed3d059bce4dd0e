/**
 * A seed nobody has tried, so that every run at a desk searches a little further. Where a change is being landed
 * the seed is fixed: whether it lands must depend on the change, not on luck.
 */
export function freshSeed(): number {
  return process.env["CI"] === undefined ? Date.now() % 1_000_000_007 : 20_261_115;
}
