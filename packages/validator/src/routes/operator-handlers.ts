/** The validator itself. These operations need no token: the handlers see that the validator has started. */
import { formatInstanceNames, type InstanceNames, spliceError } from "@callsign/api";
import { formatAutomationStatus, Refusal } from "@callsign/node";
import type { ValidatorAutomations } from "../automation/make-automations.ts";
import { VALIDATOR_AUTOMATION_NAMES } from "../automation/validator-automation.ts";
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
    pauseAutomation: ({ params: { automation }, body }, { url }) => {
      const found = running();
      if (found === null) throw new ValidatorError({ kind: "not-started", url });
      return formatAutomationStatus(setPaused(found.automations, automation, body.paused));
    },
  } satisfies Partial<Served>;
}

function setPaused(automations: ValidatorAutomations, given: string, paused: boolean) {
  const name = VALIDATOR_AUTOMATION_NAMES.find((each) => each === given);
  const status = automations.status().find(({ automation }) => automation === name);
  if (name === undefined || status === undefined) {
    const known = VALIDATOR_AUTOMATION_NAMES.join(", ");
    const error = `${JSON.stringify(given.slice(0, 100))} is no automation of a validator; there are ${known}`;
    throw new Refusal(spliceError(404, error));
  }
  if (!automations.setPaused(name, paused)) {
    const error = `${name} does nothing here, because the configuration does not set it up`;
    throw new Refusal(spliceError(409, error));
  }
  return automations.status().find(({ automation }) => automation === name) ?? status;
}
