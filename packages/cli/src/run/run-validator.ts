import { openTokenSource } from "@callsign/node";
import { startValidator, walletStore } from "@callsign/validator";
import type { ValidatorSetup } from "../settings/setups.ts";
import { type Role, storeOf } from "./role.ts";

export function validatorRole(setup: ValidatorSetup): Role {
  return {
    name: "validator",
    setup,
    dataFolder: setup.config.dataFolder,
    store: { ...storeOf(setup.config), definition: walletStore, identityFolders: [] },
    ports: { api: setup.config },
    start: async ({ host, log, metrics }) => {
      const { userId, credentials } = setup.serviceUser;
      const stopping = new AbortController();
      const tokens = openTokenSource(credentials, { userId, host, log, stopping: stopping.signal });
      const serviceUser = { userId, ...tokens };
      const validator = await startValidator({ ...setup.config, serviceUser, log, metrics }, host);
      return {
        addresses: { "validator API": `${validator.url}/api/validator` },
        missing: validator.missing,
        position: validator.position,
        copyStore: validator.copyStore,
        keys: [],
        close: async () => {
          stopping.abort();
          await validator.close();
        },
      };
    },
  };
}
