/** Confirmation: one SV agrees to one action of the DSO, until the confirmation lapses. */
import { implement } from "../../engine/template.ts";
import { requireDeadlineExceeded } from "../checks/deadline.ts";
import { Confirmation } from "./declarations/dso-rules.ts";

export const confirmation = implement(Confirmation, {
  signatories: ({ dso }) => [dso],
  choices: {
    Confirmation_Expire: {
      controllers: ({ dso }) => [dso],
      exercise: ({ update, contract: { expiresAt } }) => {
        requireDeadlineExceeded("expiresAt", update.now, expiresAt);
        return {};
      },
    },
  },
});
