/** The validator itself. These operations need no token: the handlers see that the validator has started. */
import { formatInstanceNames, type InstanceNames } from "@callsign/api";
import { formatAutomationStatus } from "@callsign/node";
import { ValidatorError } from "../errors/validator-error.ts";
import type { Running, Served } from "./running.ts";

export function operatorHandlers(running: () => Running | null, names?: InstanceNames) {
  return {
    getValidatorUserInfo: (_, { url }) => {
      const found = running();
      if (found === null) throw new ValidatorError({ kind: "not-started", url });
      return { party_id: found.operatorParty, user_name: found.participant.userId, featured: false };
    },
    getShownNames: async (_, { url }) => {
      const found = running();
      if (found === null) throw new ValidatorError({ kind: "not-started", url });
      return names === undefined
        ? await found.facts.shownNames()
        : formatInstanceNames(names, await found.facts.acronym());
    },
    listAutomations: () => ({
      automations: (running()?.automations.status() ?? []).map(formatAutomationStatus),
    }),
  } satisfies Partial<Served>;
}
