/** The calls that commands make to a running process of their own user, over its control socket. */
import { z } from "zod";
import { type Api, defineEndpoints, empty, json } from "../endpoint.ts";
import { SPLICE_MAX_BODY_BYTES, SpliceError } from "../splice/rejections.ts";
import { int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";

/** The position of a store, by name: an offset, a record time. */
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
    /** The URLs of its ports, by name; while the process starts, at most those for probes and metrics. */
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

/** The keys of a member, as fingerprints. */
const MemberKeys = z
  .object({
    member: z.string(),
    namespace: z.string(),
    /** The key that signs. */
    signing: z.string(),
    /** The key that a rotation under way puts in its place. */
    next: orNull(z.string()),
    /** The signing keys that the network has; null if it does not know the member. */
    registered: orNull(z.array(z.string())),
    /** The number of delegations, the registration included. */
    serial: int64,
  })
  .meta({ id: "MemberKeys" });
export type MemberKeys = z.output<typeof MemberKeys>;
const KeysOfProcess = z.object({ members: z.array(MemberKeys) }).meta({ id: "KeysOfProcess" });

const RotateKeys = z
  .object({
    /** Replaces keys of which the process holds none. */
    replaceUnknown: z.boolean(),
  })
  .meta({ id: "RotateKeys" });

/** The network as an SV's process has it. */
const NetworkOfProcess = z
  .object({
    network: z.string(),
    protocolVersion: int64,
    /** The protocol versions that the running program applies. */
    programVersions: z.array(int64),
    /** The record time of an entry that would be appended now. */
    now: z.string(),
  })
  .meta({ id: "NetworkOfProcess" });
export type NetworkOfProcess = z.output<typeof NetworkOfProcess>;

/** An entry with the signatures of SVs. */
const SignedActivation = z
  .object({
    content: z.string(),
    signatures: z.array(z.object({ publicKey: z.string(), signature: z.string() })),
  })
  .meta({ id: "SignedActivation" });

const ActivatedByEntry = z
  .object({
    version: int64,
    /** The version before; null if the network had this one already. */
    before: orNull(int64),
    /** The number of the entry; null if it was there already. */
    sequence: orNull(int64),
    signedBy: z.array(z.string()),
    /** SVs that have not signed. */
    without: z.array(z.string()),
  })
  .meta({ id: "ActivatedByEntry" });
export type ActivatedByEntry = z.output<typeof ActivatedByEntry>;

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
  showKeys: {
    method: "GET",
    path: "/v1/keys",
    summary: "The keys of the process's members, here and on the network",
    success: json(KeysOfProcess),
    errors: [409, 503],
  },
  rotateKeys: {
    method: "POST",
    path: "/v1/keys/rotate",
    summary: "Puts a new signing key in the place of each member's; answers when the network has it alone",
    body: RotateKeys,
    success: json(KeysOfProcess),
    errors: [400, 409, 503],
  },
  getNetwork: {
    method: "GET",
    path: "/v1/network",
    summary: "The SVs' network, its protocol version, and the versions that the program applies",
    success: json(NetworkOfProcess),
    errors: [409, 503],
  },
  activateVersion: {
    method: "POST",
    path: "/v1/network/activation",
    summary: "Appends the activation of a protocol version; answers when a quorum of SVs has applied it",
    body: SignedActivation,
    success: json(ActivatedByEntry),
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
