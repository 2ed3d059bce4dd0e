import { type ArgumentOf, type ChoiceName, exerciseCommand, NameCare } from "@callsign/ledger";
import type { DecidedTask, Deciding } from "../dso-automation.ts";

type Choices = (typeof NameCare)["choices"];

/** A task of one choice of NameCare, which one SV does. */
export function careForName<C extends ChoiceName<typeof NameCare>>(
  { rules, sv }: Deciding,
  key: string,
  choice: C,
  argument: Omit<ArgumentOf<Choices[C]>, "sv" | "dsoRulesCid">,
): DecidedTask {
  const whole = { ...argument, sv, dsoRulesCid: rules.dsoRules.contractId } as ArgumentOf<Choices[C]>;
  return { key, commands: [exerciseCommand(NameCare, rules.nameCareCid, choice, whole)], takes: 1 };
}
