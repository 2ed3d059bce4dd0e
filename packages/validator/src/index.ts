/** The public interface of @callsign/validator. */
export {
  VALIDATOR_AUTOMATIONS,
  type ValidatorAutomationName,
} from "./automation/automation-names.ts";
export type { TopUpConfig } from "./automation/top-up-terms.ts";
export { startValidator, type Validator } from "./start-validator.ts";
export type { ValidatorConfig } from "./validator-config.ts";
