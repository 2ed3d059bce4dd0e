/** How often names are looked up. Each scan counts its own: validators, which compare scans, do not offer it. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int64 } from "../wire/numbers.ts";
import { dateTime } from "../wire/texts.ts";

/** Minutes of lookups that a scan keeps in memory: a day. */
export const MAX_LOOKUP_MINUTES = 1440;

const LookupStatistics = z
  .object({
    /** The start of the process that answers: lookups before it are not counted. */
    since: dateTime,
    /** The beginning of the first minute that is counted here. */
    from: dateTime,
    /** Lookups in each minute from then on, the present one last, by the clock of the machine. */
    counts: z.array(int64).max(MAX_LOOKUP_MINUTES),
  })
  .meta({ id: "LookupStatistics" });
export type LookupStatistics = z.output<typeof LookupStatistics>;

export const extLookups = defineEndpoints({
  tags: ["external", "scan"],
  auth: "none",
  errors: [429, 503],
})({
  getLookupStatistics: {
    method: "GET",
    path: "/ext/v1/statistics/lookups",
    summary: "Lookups of names that this scan answered in each minute of the last day, since its start",
    description:
      "By name, by party and by prefix. They are kept in memory. Of a scan with several worker processes, the counts are " +
      "those of the worker that answers; its metrics have the sum.",
    success: json(LookupStatistics),
  },
});
