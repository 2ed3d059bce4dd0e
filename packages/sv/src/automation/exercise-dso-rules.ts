/** Choices of DsoRules in the name of an SV, for its decisions. */
import { type ArgumentOf, DsoRules, exerciseCommand, type PartyId } from "@callsign/ledger";
import type { Deciding, DsoArgument, DsoChoice } from "./dso-automation.ts";
import type { DsoRulesFacts } from "./ledger-facts.ts";

export function exerciseDsoRules(
  { dsoRules }: DsoRulesFacts,
  sv: PartyId,
): Pick<Deciding, "exercise" | "task"> {
  const exercise = <C extends DsoChoice>(choice: C, argument: DsoArgument<C>) => {
    const whole = { ...argument, sv } as ArgumentOf<(typeof DsoRules)["choices"][C]>;
    return exerciseCommand(DsoRules, dsoRules.contractId, choice, whole);
  };
  return {
    exercise,
    task: (key, choice, argument, takes = 1) => ({ key, commands: [exercise(choice, argument)], takes }),
  };
}
