/** Settings of a log's engine with which it may lose entries. They are refused unless the operator accepts the risk by name. */
import { DatabaseRefused } from "@callsign/node";

export interface FoundRisk<Risk extends string> {
  readonly risk: Risk;
  /** The setting, and its remedy. */
  readonly words: string;
}

/** Throws a `DatabaseRefused` with every risk that is not accepted. */
export function refuseRisks<Risk extends string>(
  found: readonly FoundRisk<Risk>[],
  accepted: readonly Risk[],
): void {
  const refused = found.filter(({ risk }) => !accepted.includes(risk));
  if (refused.length === 0) return;
  const names = [...new Set(refused.map(({ risk }) => risk))];
  throw new DatabaseRefused(
    `${refused.map(({ words }) => words).join("; ")}. ` +
      `To accept that entries may be lost, add ${names.join(", ")} to log.accept`,
  );
}
