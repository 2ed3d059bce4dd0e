/** AnsEntry: the record of a name. Its owner and the DSO sign it; nobody can edit it or give it away. */
import { requireThat } from "../../engine/failure.ts";
import { implement } from "../../engine/template.ts";
import { addDuration } from "../../values/time.ts";
import { AnsEntry } from "./declarations/ans.ts";

export const ansEntry = implement(AnsEntry, {
  signatories: (entry) => [entry.user, entry.dso],
  choices: {
    AnsEntry_Expire: {
      controllers: (_entry, { actor }) => [actor],
      exercise: ({ update, contract: entry, argument: { actor } }) => {
        requireThat(`Actor '${actor}' is a signatory`, actor === entry.user || actor === entry.dso);
        requireThat("Contract expired", entry.expiresAt < update.now);
        return {};
      },
    },
    AnsEntry_Renew: {
      controllers: (entry) => [entry.user, entry.dso],
      exercise: ({ update, contract: entry, argument: { extension } }) => {
        requireThat("Extension positive", extension.microseconds > 0n);
        const expiresAt = addDuration(entry.expiresAt, extension.microseconds);
        return { entryCid: update.create(AnsEntry, { ...entry, expiresAt }) };
      },
    },
  },
});
