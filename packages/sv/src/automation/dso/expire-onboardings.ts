/** Onboarding secrets of this SV whose time is over are thrown away, a few in one transaction. */
import { exerciseCommand, ValidatorOnboarding } from "@callsign/ledger";
import { ONBOARDINGS } from "../../kinds/subject.ts";
import { EXPIRED_SECRETS_AT_ONCE } from "../../limits/limits.ts";
import { defineAutomation } from "../dso-automation.ts";

export const expireOnboardings = defineAutomation({
  name: "expire-onboardings",
  subjects: ["onboardings"],
  listPiles: () => [ONBOARDINGS],
  moments: ({ secrets, now }) => {
    const isDue = secrets.listExpired(now, 1).length > 0;
    const next = secrets.nextExpiry(now);
    return [...(isDue ? [now] : []), ...(next === null ? [] : [next])].map((at) => ({
      at,
      subject: ONBOARDINGS,
    }));
  },
  decide: ({ facts }) => {
    const due = facts.secrets.listExpired(facts.now, EXPIRED_SECRETS_AT_ONCE);
    if (due.length === 0) return [];
    const commands = due.map(({ contractId }) =>
      exerciseCommand(ValidatorOnboarding, contractId, "ValidatorOnboarding_Expire", {}),
    );
    const key = `expire secrets ${due.length} ${due[0]?.contractId} ${due.at(-1)?.contractId}`;
    return [{ key, commands, takes: "each" }];
  },
});
