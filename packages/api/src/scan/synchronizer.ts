/** The synchronizer: upgrades that are planned, and the identities of what runs it. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime } from "../wire/texts.ts";

const MigrationSchedule = z
  .object({
    time: dateTime,
    /** The migration that begins then. */
    migration_id: int64,
  })
  .meta({ id: "MigrationSchedule" });

const BftSequencers = z
  .object({
    bftSequencers: z.array(z.object({ serialId: int64, id: z.string(), p2pUrl: z.string() })),
  })
  .meta({ id: "ListSvBftSequencersResponse" });

const RollForward = z
  .object({
    rollForwardLsu: orNull(
      z.object({
        upgradeTime: dateTime,
        currentPhysicalSynchronizerId: z.string(),
        successorPhysicalSynchronizerId: z.string(),
      }),
    ),
  })
  .meta({ id: "GetRollForwardLsuResponse" });

export const scanSynchronizer = defineEndpoints({ tags: ["internal", "scan"], auth: "none", method: "GET" })({
  listSvBftSequencers: {
    path: "/v0/sv-bft-sequencers",
    summary: "This SV's sequencers that agree among themselves: none, since the log gives the order",
    success: json(BftSequencers),
    errors: [429, 503],
  },
  getRollForwardLsu: {
    path: "/v0/roll-forward-lsu",
    summary: "The upgrade of the synchronizer that is rolled forward: null, since there is none",
    success: json(RollForward),
    errors: [429, 503],
  },
  getActivePhysicalSynchronizerSerial: {
    path: "/v0/active-synchronizer-serial",
    summary: "The serial of the synchronizer: 0, since it was never upgraded in place",
    success: json(z.object({ serial: int64 }).meta({ id: "GetActivePhysicalSynchronizerSerialResponse" })),
    errors: [404, 429, 503],
  },
  getMigrationSchedule: {
    path: "/v0/migrations/schedule",
    summary: "The next migration in the DSO's rules; 404 without a body if none is planned",
    success: json(MigrationSchedule),
    errors: [404, 429, 503],
  },
  featureSupport: {
    path: "/v0/feature-support",
    summary: "Optional features of this scan: none",
    success: json(z.object({ dummy: orNull(z.boolean()) }).meta({ id: "FeatureSupportResponse" })),
    errors: [429, 503],
  },
});
