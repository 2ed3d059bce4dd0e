/** The calls that commands make to a running process of their own user, over its control socket. */
import { z } from "zod";
import { type Api, defineEndpoints, empty, json } from "../endpoint.ts";
import { SPLICE_MAX_BODY_BYTES, SpliceError } from "../splice/rejections.ts";
import { orNull } from "../wire/or-null.ts";

/** What is known of the place that a store has come to, by name: an offset, a record time. */
export const StorePosition = z.record(z.string(), z.string()).meta({ id: "StorePosition" });
export type StorePosition = z.output<typeof StorePosition>;

const ProcessStatus = z
  .object({
    /** `participant`, `validator` or `sv`. */
    role: z.string(),
    /** The release that runs. */
    version: z.string(),
    ready: z.boolean(),
    /** The reason why it is not ready. */
    missing: orNull(z.string()),
    /** What answers where; empty while the process starts. */
    addresses: z.record(z.string(), z.string()),
    /** Null while the process starts. */
    position: orNull(StorePosition),
  })
  .meta({ id: "ProcessStatus" });
export type ProcessStatus = z.output<typeof ProcessStatus>;

const StoreCopy = z
  .object({
    /** An absolute path on the process's machine. */
    file: z.string().regex(/^\//, "The path must be absolute."),
  })
  .meta({ id: "StoreCopy" });

const endpoints = defineEndpoints({ tags: ["control"], auth: "socket" })({
  getStatus: {
    method: "GET",
    path: "/v1/status",
    summary: "Role, release, readiness, addresses and the position of the store",
    success: json(ProcessStatus),
    errors: [503],
  },
  copyStore: {
    method: "POST",
    path: "/v1/backup",
    summary: "Copies the embedded store as it is now into a new file, while the process goes on",
    body: StoreCopy,
    success: empty,
    errors: [400, 409, 503],
  },
});

export const controlApi = {
  name: "control",
  title: "Control API",
  version: "0.1.0",
  description:
    "Orders to one process. It listens on a unix domain socket in the data folder, and on no port.",
  basePath: "",
  dialect: "splice",
  tags: { control: "For the commands of the operator." },
  errorBody: SpliceError,
  maxBodyBytes: SPLICE_MAX_BODY_BYTES,
  endpoints,
} as const satisfies Api;
