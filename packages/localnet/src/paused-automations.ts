/** The names of the automations that the local network can pause, the SVs' and the validators' alike. */
import { SV_AUTOMATION_NAMES, type SvAutomationName } from "@callsign/sv";
import { VALIDATOR_AUTOMATION_NAMES, type ValidatorAutomationName } from "@callsign/validator";

export type LocalnetAutomation = SvAutomationName | ValidatorAutomationName;

const isOfSvs = (name: string): name is SvAutomationName =>
  SV_AUTOMATION_NAMES.some((known) => known === name);
const isOfValidators = (name: string): name is ValidatorAutomationName =>
  VALIDATOR_AUTOMATION_NAMES.some((known) => known === name);

export function splitAutomations(names: readonly LocalnetAutomation[]) {
  return { svs: names.filter(isOfSvs), validators: names.filter(isOfValidators) };
}

export const AUTOMATION_NAMES: readonly LocalnetAutomation[] = [
  ...SV_AUTOMATION_NAMES,
  ...VALIDATOR_AUTOMATION_NAMES,
];
