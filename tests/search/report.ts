import type { Explored } from "./explore.ts";

/** Prints how much was searched, and the shortest way to each finding. */
export function report(title: string, { states, findings }: Explored): void {
  const lines = findings.flatMap(({ name, steps }) => [`  ${name}:`, ...steps.map((step) => `    ${step}`)]);
  process.stdout.write([`${title}: ${states} states`, ...lines, ""].join("\n"));
}

export function namesOf({ findings }: Explored): readonly string[] {
  return findings.map(({ name }) => name).sort();
}
