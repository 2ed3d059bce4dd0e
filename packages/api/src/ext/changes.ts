/** The changes of all names, or of those of one name or party, as pages or as they happen. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { pageSizeParameter } from "../splice/page-size.ts";
import { partyParameter } from "../splice/party-parameter.ts";
import { int64Parameter } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime, digits } from "../wire/texts.ts";
import { NameChange } from "./history.ts";

const NameChanges = z
  .object({
    /** In the order of the log. */
    changes: z.array(NameChange),
    /** The `after` of the next request: later changes stand behind it. */
    next: digits,
    /** All changes from this record time on are kept. */
    complete_from: orNull(dateTime),
  })
  .meta({ id: "NameChanges" });

export const extChanges = defineEndpoints({ tags: ["external", "scan"], auth: "none" })({
  listNameChanges: {
    method: "GET",
    path: "/ext/v1/names/changes",
    summary:
      "Changes of names in the order of the log, as a page, or as server-sent events while they happen",
    description:
      "A caller who accepts text/event-stream gets events `change`, whose data is a change and whose id its offset. They " +
      "begin behind the offset of the header Last-Event-ID, or else of `after`, or else with the next change. The first " +
      "lines have that offset as an id. A quiet stream has a comment every 15 seconds.",
    query: z.object({
      page_size: pageSizeParameter,
      /** Changes behind this offset; absent: from the first on. */
      after: orNull(int64Parameter),
      /** Changes of this name alone. */
      name: orNull(z.string()),
      /** Changes of this owner alone. */
      party: orNull(partyParameter),
    }),
    success: json(NameChanges),
    hasEvents: true,
    errors: [400, 429, 503],
  },
});
