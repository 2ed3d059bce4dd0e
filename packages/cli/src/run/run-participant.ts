import { startParticipant } from "@callsign/participant";
import type { ParticipantSetup } from "../settings/setups.ts";
import type { Role } from "./run-role.ts";

export function participantRole(setup: ParticipantSetup): Role {
  return {
    name: "participant",
    setup,
    start: async ({ host, log, metrics }) => {
      const participant = await startParticipant({ ...setup.config, log, metrics, system: host });
      const { url, adminUrl, missing, close } = participant;
      const addresses = { "JSON Ledger API": url, "admin API": `${adminUrl}/api/participant-admin` };
      return { addresses, missing, close };
    },
  };
}
