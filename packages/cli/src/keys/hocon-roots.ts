/** The blocks of roles in additional configuration, as Splice's images name them. */
export const VALIDATOR_ROOT = "canton.validator-apps.validator_backend";
export const PARTICIPANT_ROOT = "canton.participants.participant";

export function validatorPaths(...paths: readonly string[]): readonly string[] {
  return paths.map((path) => `${VALIDATOR_ROOT}.${path}`);
}

export function participantPaths(...paths: readonly string[]): readonly string[] {
  return paths.map((path) => `${PARTICIPANT_ROOT}.${path}`);
}
