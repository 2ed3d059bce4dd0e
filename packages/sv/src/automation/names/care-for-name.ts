import { type ArgumentOf, type ChoiceName, exerciseCommand, NameCare, NameCareV2 } from "@callsign/ledger";
import type { DecidedTask, Deciding } from "../dso-automation.ts";

type Choices = (typeof NameCareV2)["choices"];

/** A task of one choice of NameCare, which one SV does. */
export function careForName<C extends ChoiceName<typeof NameCareV2>>(
  { rules, sv }: Deciding,
  key: string,
  choice: C,
  argument: Omit<ArgumentOf<Choices[C]>, "sv" | "dsoRulesCid">,
): DecidedTask {
  const whole = { ...argument, sv, dsoRulesCid: rules.dsoRules.contractId } as ArgumentOf<Choices[C]>;
  // Choices of the first version are known in every protocol version.
  const version = (choice in NameCare.choices ? NameCare : NameCareV2) as typeof NameCareV2;
  return { key, commands: [exerciseCommand(version, rules.nameCareCid, choice, whole)], takes: 1 };
}
