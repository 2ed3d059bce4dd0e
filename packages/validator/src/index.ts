/** The public interface of @callsign/validator. */
export {
  AUTOMATIONS as VALIDATOR_AUTOMATIONS,
  type AutomationName as ValidatorAutomation,
} from "./automation/automation.ts";
export type { TopUpConfig } from "./automation/top-up-terms.ts";
export { startValidator, type Validator, type ValidatorConfig } from "./start-validator.ts";
