/** The roles, each made from its configuration. */
import type { Role } from "../run/role.ts";
import { participantRole } from "../run/run-participant.ts";
import { scanRole } from "../run/run-scan.ts";
import { svRole } from "../run/run-sv.ts";
import { validatorRole } from "../run/run-validator.ts";
import type { ReadParts, SetupOutcome } from "../settings/config-source.ts";
import { readParticipantSetup } from "../settings/read-participant-setup.ts";
import { readScanSetup } from "../settings/read-scan-setup.ts";
import { readSvSetup } from "../settings/read-sv-setup.ts";
import { readValidatorSetup } from "../settings/read-validator-setup.ts";

export type ReadSetup<Setup> = (parts: ReadParts) => SetupOutcome<Setup>;

export const ROLES = {
  validator: asRole(readValidatorSetup, validatorRole),
  participant: asRole(readParticipantSetup, participantRole),
  sv: asRole(readSvSetup, svRole),
  scan: asRole(readScanSetup, scanRole),
};

function asRole<Setup>(
  read: ReadSetup<Setup>,
  make: (setup: Setup, parts: ReadParts) => Role,
): ReadSetup<Role> {
  return (parts) => {
    const outcome = read(parts);
    return outcome.ok
      ? { ok: true, setup: make(outcome.setup, parts) }
      : { ok: false, findings: outcome.findings };
  };
}
