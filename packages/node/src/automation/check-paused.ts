/** Returns the names of paused automations. Throws for an unknown one: a misspelt name would pause nothing. */
export function checkPaused<Name extends string>(
  paused: readonly string[],
  known: readonly Name[],
  role: "an SV" | "a validator",
): ReadonlySet<Name> {
  const unknown = paused.find((name) => !known.some((each) => each === name));
  if (unknown === undefined) return new Set(paused as readonly Name[]);
  const given = JSON.stringify(unknown);
  throw new Error(`pausedAutomations: ${given} is no automation of ${role}; there are ${known.join(", ")}`);
}
