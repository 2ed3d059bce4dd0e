/** A choice of DsoRules, in the name of an SV. */
import {
  type ArgumentOf,
  type ChoiceName,
  type Command,
  DsoRules,
  exerciseCommand,
  type PartyId,
} from "@callsign/ledger";
import type { DsoRulesFacts } from "./ledger-facts.ts";

type Choices = (typeof DsoRules)["choices"];

export function exerciseDsoRules<C extends ChoiceName<typeof DsoRules>>(
  { dsoRules }: DsoRulesFacts,
  sv: PartyId,
  choice: C,
  argument: Omit<ArgumentOf<Choices[C]>, "sv">,
): Command {
  const whole = { ...argument, sv } as ArgumentOf<Choices[C]>;
  return exerciseCommand(DsoRules, dsoRules.contractId, choice, whole);
}
