/** The public interface of @callsign/cli. */
export { runConfigCommand } from "./config-commands/run-config-command.ts";
export { runCommand } from "./run-command.ts";
export type { ConfigSource, ReadParts, SetupOutcome } from "./settings/config-source.ts";
export { readParticipantSetup } from "./settings/read-participant-setup.ts";
export { readSvSetup } from "./settings/read-sv-setup.ts";
export { readValidatorSetup } from "./settings/read-validator-setup.ts";
export type { ParticipantSetup, SvSetup, ValidatorSetup } from "./settings/setups.ts";
export { parseSourceOptions, SOURCE_USAGE } from "./settings/source-options.ts";
export { type Finding, formatFinding } from "./values/finding.ts";
