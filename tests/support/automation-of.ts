/** The status of an automation, as its operator reads it over HTTP: of a validator or of an SV. */
import type { WireAutomationStatus } from "../../packages/api/src/index.ts";

interface Operator {
  readonly listAutomations: () => Promise<{ readonly automations: readonly WireAutomationStatus[] }>;
}

export async function automationOf(operator: Operator, name: string): Promise<WireAutomationStatus> {
  const { automations } = await operator.listAutomations();
  const found = automations.find(({ automation }) => automation === name);
  if (found === undefined) throw new Error(`there is no automation ${name}`);
  return found;
}
