/** Every application answers these from its first moment: alive, ready, version. */
import { z } from "zod";
import { defineEndpoints, empty, json } from "../endpoint.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime } from "../wire/texts.ts";

export const HealthStatus = z
  .union([
    z.object({
      success: z.object({
        id: z.string(),
        /** ISO 8601: `PT1H2M3.4S`. */
        uptime: z.string(),
        ports: z.object({ admin: z.int() }),
        extra: orNull(z.string()),
        active: z.boolean(),
      }),
    }),
    z.object({ not_initialized: z.object({ active: z.boolean() }) }),
    z.object({ failed: z.object({ error: z.string() }) }),
  ])
  .meta({ id: "HealthStatus" });
export type HealthStatus = z.output<typeof HealthStatus>;

export const Version = z.object({ version: z.string(), commit_ts: dateTime }).meta({ id: "Version" });
export type Version = z.output<typeof Version>;

/** The same four in every application, under that application's own tag. */
export function healthEndpoints<const Tag extends string>(tag: Tag) {
  return defineEndpoints({ method: "GET", tags: [tag], auth: "none" })({
    isReady: {
      path: "/readyz",
      summary: "Whether the application is initialised and healthy",
      success: empty,
      errors: [503],
    },
    isLive: {
      path: "/livez",
      summary: "Whether the process answers",
      success: empty,
      errors: [],
    },
    getHealthStatus: {
      path: "/status",
      summary: "What the application says of itself; always 200",
      success: json(HealthStatus),
      errors: [],
    },
    getVersion: {
      path: "/version",
      summary: "The version and when its source was committed",
      success: json(Version),
      errors: [],
    },
  });
}
