/** The participant's version, limits and health. */
import { z } from "zod";
import { defineEndpoints, empty, json, text } from "../endpoint.ts";
import { int32 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { Duration } from "./proto.ts";

const supported = z.object({ supported: z.boolean() });

const LedgerVersion = z
  .object({
    /** Clients take what starts with 3.4 or 3.5. */
    version: z.string(),
    features: z.object({
      experimental: z.object({ staticTime: orNull(supported), commandInspectionService: orNull(supported) }),
      userManagement: z.object({
        supported: z.boolean(),
        maxRightsPerUser: int32,
        maxUsersPageSize: int32,
      }),
      partyManagement: z.object({ maxPartiesPageSize: int32 }),
      offsetCheckpoint: z.object({ maxOffsetCheckpointEmissionDelay: Duration }),
      packageFeature: z.object({ maxVettedPackagesPageSize: int32 }),
    }),
  })
  .meta({ id: "GetLedgerApiVersionResponse" });

export const ledgerVersion = defineEndpoints({ tags: ["version"], auth: "ledger:none" })({
  getVersion: {
    method: "GET",
    path: "/v2/version",
    summary: "The version of the API, and its limits",
    success: json(LedgerVersion),
    errors: [403],
  },
  isLive: {
    method: "GET",
    path: "/livez",
    summary: "Whether the process answers",
    success: empty,
    errors: [403],
  },
  isReady: {
    method: "GET",
    path: "/readyz",
    summary: "Whether the participant is connected and follows the network, in lines of text",
    success: text,
    errors: [403, 503],
  },
});
