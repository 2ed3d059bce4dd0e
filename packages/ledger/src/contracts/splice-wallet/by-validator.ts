/** Every choice of a wallet's installation is the validator's. */
import type { ChoiceCall, ChoiceRules } from "../../engine/template.ts";
import type { WalletAppInstall } from "./declarations/install.ts";

export function byValidator<Argument, Result>(
  exercise: (call: ChoiceCall<WalletAppInstall, Argument>) => Result,
): ChoiceRules<WalletAppInstall, Argument, Result> {
  return { controllers: ({ validatorParty }) => [validatorParty], exercise };
}
