/** The local network's own calls, for developers: is it up, move its clock, make a scan misbehave, snapshots of all of it. */
import { z } from "zod";
import { type Api, defineEndpoints, empty, json } from "../endpoint.ts";
import { SPLICE_MAX_BODY_BYTES, SpliceError } from "../splice/rejections.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime } from "../wire/texts.ts";

const ClockMove = z
  .object({
    from: dateTime,
    to: dateTime,
    /** The reason why it ended before its time. */
    failure: orNull(z.string()),
  })
  .meta({ id: "ClockMove" });

/** `move` is there while the clock is on its way, and after a move that failed. */
const Clock = z.object({ time: dateTime, move: ClockMove.optional() }).meta({ id: "Clock" });

const MoveClock = z
  .object({
    forwardSeconds: z
      .int()
      .refine((seconds) => seconds >= 0, "a clock only moves forward")
      .meta({ minimum: 0 }),
    /** Stops in every round on the way, so that its rewards are earned and minted. */
    everyRound: z.boolean().optional(),
  })
  .meta({ id: "MoveClock" });

export const ScanBehaviour = z.enum(["honest", "lie", "lag", "hang", "error", "stop"]);
export type ScanBehaviour = z.output<typeof ScanBehaviour>;

const Behaviour = z.object({ behaviour: ScanBehaviour }).meta({ id: "Behaviour" });

/** A folder has this name, also where file names have no case. */
export const SNAPSHOT_NAME = /^[a-z0-9][a-z0-9_-]{0,59}$/;
export const SNAPSHOT_NAME_RULE =
  "a snapshot's name has 1 to 60 letters of a-z, digits, hyphens and underscores, and begins with a letter or a digit";

const snapshotName = z.string().regex(SNAPSHOT_NAME, SNAPSHOT_NAME_RULE);

export const NetworkSnapshot = z
  .object({
    name: snapshotName,
    /** By the clock of the machine. */
    savedAt: dateTime,
    /** The network's time. */
    time: dateTime,
    /** The ending of the network's names. */
    acronym: z.string(),
    /** The number of the log's last entry. */
    entries: z.int().meta({ minimum: 0 }),
    /** On disk. */
    bytes: z.int().meta({ minimum: 0 }),
  })
  .meta({ id: "NetworkSnapshot" });
export type NetworkSnapshot = z.output<typeof NetworkSnapshot>;

const SaveSnapshot = z.object({ name: snapshotName }).meta({ id: "SaveSnapshot" });
const NetworkSnapshots = z.object({ snapshots: z.array(NetworkSnapshot) }).meta({ id: "NetworkSnapshots" });
const snapshotParams = z.object({ name: snapshotName });

/** As participants limit the ids of users. */
const MAX_USER_LENGTH = 128;

const ScanOfNetwork = z
  .object({ number: z.int().meta({ minimum: 1 }), behaviour: ScanBehaviour })
  .meta({ id: "ScanOfNetwork" });

/** A user and its token, which is signed with LocalNet's public secret and never expires. */
const UserOfNetwork = z
  .object({
    user: z.string(),
    /** The node that the user has a wallet on; null for the administrator of every participant. */
    node: orNull(z.string()),
    token: z.string(),
  })
  .meta({ id: "UserOfNetwork" });
export type UserOfNetwork = z.output<typeof UserOfNetwork>;

const endpoints = defineEndpoints({ tags: ["development"], auth: "loopback" })({
  isReady: {
    method: "GET",
    path: "/readyz",
    tags: ["health"],
    summary: "Whether every advertised endpoint answers; otherwise 503 names what does not",
    success: empty,
    errors: [503],
  },
  isLive: {
    method: "GET",
    path: "/livez",
    tags: ["health"],
    summary: "Whether every process lives; otherwise 503 names what does not",
    success: empty,
    errors: [503],
  },
  getClock: {
    method: "GET",
    path: "/ext/v1/clock",
    summary: "The network's time, and the move of the clock that is under way",
    success: json(Clock),
    errors: [],
  },
  moveClock: {
    method: "POST",
    path: "/ext/v1/clock",
    summary:
      "Moves the network's clock forward, and answers once automations have seen it; 202 while a long move goes on",
    body: MoveClock,
    success: json(Clock),
    errors: [400, 409, 503],
  },
  listScans: {
    method: "GET",
    path: "/ext/v1/scans",
    summary: "How the scan of each SV behaves",
    success: json(z.object({ scans: z.array(ScanOfNetwork) })),
    errors: [],
  },
  listUsers: {
    method: "GET",
    path: "/ext/v1/users",
    summary: "The users that the network starts with, and their tokens",
    success: json(z.object({ users: z.array(UserOfNetwork) })),
    errors: [],
  },
  makeToken: {
    method: "POST",
    path: "/ext/v1/users/{user}/token",
    summary: "A token of any user, whether a participant has that user or not",
    params: z.object({ user: z.string().min(1).max(MAX_USER_LENGTH) }),
    success: json(z.object({ token: z.string() }).meta({ id: "TokenOfUser" })),
    errors: [400],
  },
  setScanBehaviour: {
    method: "POST",
    path: "/ext/v1/scans/{number}",
    summary: "Makes the scan of SV 1 to 4 behave so from now on",
    params: z.object({ number: z.string().regex(/^[1-9]\d?$/, "Scans are numbered from 1.") }),
    body: Behaviour,
    success: json(Behaviour),
    errors: [400, 404],
  },
  saveSnapshot: {
    method: "POST",
    path: "/ext/v1/snapshots",
    summary: "Saves the whole network as it is now, while it goes on; answers once the snapshot is on disk",
    body: SaveSnapshot,
    success: json(NetworkSnapshot),
    errors: [400, 409, 501, 507],
  },
  listSnapshots: {
    method: "GET",
    path: "/ext/v1/snapshots",
    summary: "The snapshots, the oldest first",
    success: json(NetworkSnapshots),
    errors: [],
  },
  restoreSnapshot: {
    method: "POST",
    path: "/ext/v1/snapshots/{name}/restore",
    summary:
      "Puts the whole network back to the snapshot, on the same ports; answers once every endpoint answers",
    params: snapshotParams,
    success: json(NetworkSnapshot),
    errors: [400, 404, 409, 501, 503, 507],
  },
  deleteSnapshot: {
    method: "DELETE",
    path: "/ext/v1/snapshots/{name}",
    summary: "Deletes the snapshot",
    params: snapshotParams,
    success: empty,
    errors: [400, 404, 409],
  },
});

export const localNetworkApi = {
  name: "local-network",
  title: "Local network API",
  version: "0.1.0",
  description: "The local network as a whole. It listens on this machine only.",
  basePath: "",
  dialect: "splice",
  tags: { health: "Liveness and readiness.", development: "For trying things out." },
  errorBody: SpliceError,
  maxBodyBytes: SPLICE_MAX_BODY_BYTES,
  endpoints,
} as const satisfies Api;
