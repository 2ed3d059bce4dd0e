import { startParticipant } from "@callsign/participant";
import type { ParticipantSetup } from "../settings/setups.ts";
import type { Role } from "./role.ts";

export function participantRole(setup: ParticipantSetup): Role {
  return {
    name: "participant",
    setup,
    dataFolder: setup.config.dataFolder,
    start: async ({ host, log, metrics }) => {
      const participant = await startParticipant({ ...setup.config, log, metrics, system: host });
      const { url, adminUrl, missing, position, close } = participant;
      const addresses = { "JSON Ledger API": url, "admin API": `${adminUrl}/api/participant-admin` };
      return { addresses, missing, position, close };
    },
  };
}
