import { participantStore, startParticipant } from "@callsign/participant";
import type { ParticipantSetup } from "../settings/setups.ts";
import { type Role, storeOf } from "./role.ts";

export function participantRole(setup: ParticipantSetup): Role {
  return {
    name: "participant",
    setup,
    dataFolder: setup.config.dataFolder,
    store: { ...storeOf(setup.config), definition: participantStore, identityFolders: ["."] },
    ports: { api: setup.config, admin: setup.config.admin ?? {} },
    start: async ({ host, log, metrics }) => {
      const participant = await startParticipant({ ...setup.config, log, metrics, system: host });
      const { url, adminUrl, missing, position, copyStore, keys, close } = participant;
      const addresses = { "JSON Ledger API": url, "admin API": `${adminUrl}/api/participant-admin` };
      return { addresses, missing, position, copyStore, keys: [keys], close };
    },
  };
}
