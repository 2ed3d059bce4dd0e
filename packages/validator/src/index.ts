/** The public interface of @callsign/validator. */
export {
  VALIDATOR_AUTOMATIONS,
  type ValidatorAutomationName,
} from "./automation/automation-names.ts";
export type { TopUpConfig } from "./automation/top-up-terms.ts";
export { startValidator, type Validator, type ValidatorConfig } from "./start-validator.ts";
