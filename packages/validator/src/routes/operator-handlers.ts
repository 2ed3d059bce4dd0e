/** The validator itself. These operations need no token: the handlers see that the validator has started. */
import { formatInstanceNames, type InstanceNames } from "@callsign/api";
import { formatAutomationStatus } from "@callsign/node";
import { ValidatorError } from "../errors/validator-error.ts";
import { isFeatured } from "../wallet/featured-apps.ts";
import type { Running, Served } from "./running.ts";

export function operatorHandlers(running: () => Running | null, names?: InstanceNames) {
  return {
    getValidatorUserInfo: async (_, { url }) => {
      const found = running();
      if (found === null) throw new ValidatorError({ kind: "not-started", url });
      const { operatorParty, participant, store } = found;
      const featured = await isFeatured(store, operatorParty);
      return { party_id: operatorParty, user_name: participant.userId, featured };
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
