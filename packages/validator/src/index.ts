/** The public interface of @callsign/validator. */

export type { TopUpConfig } from "./automation/top-up-terms.ts";
export {
  VALIDATOR_AUTOMATION_NAMES,
  type ValidatorAutomationName,
} from "./automation/validator-automation.ts";
export { startValidator, type Validator } from "./start-validator.ts";
export type { ValidatorConfig } from "./validator-config.ts";
