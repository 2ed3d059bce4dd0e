/**
 * Makes the log's stream if it is missing, and refuses servers and streams that may lose entries unless the operator accepts
 * that risk by name.
 */

import { DatabaseRefused, type Log } from "@callsign/node";
import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from "@nats-io/jetstream";
import { PermissionViolationError } from "@nats-io/transport-node";
import {
  LARGEST_MESSAGE_BYTES,
  NATS_ANSWERS_MILLISECONDS,
  NATS_TIMEOUT_MILLISECONDS,
} from "../limits/limits.ts";
import {
  DEFAULT_REPLICAS,
  NATS_RISKS,
  type NatsLogConfig,
  type NatsRisk,
  storedSubjectOf,
  subjectOf,
} from "./nats-config.ts";
import { describePayload, type NatsLink } from "./nats-connection.ts";
import { type FoundRisk, refuseRisks } from "./refuse-risks.ts";

const STREAM_NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** The first release whose synced writes survive a crash of all nodes. */
const NEEDED_VERSION = [2, 15] as const;

export function checkConfig({ servers, stream }: NatsLogConfig): void {
  if (servers.length === 0)
    throw new DatabaseRefused("the log on NATS names no server: give at least one, as nats://host:4222");
  if (!STREAM_NAME.test(stream))
    throw new DatabaseRefused(
      `"${stream}" cannot name the log's stream: use 1 to 64 letters, digits, - and _`,
    );
}

/** For a user who may only read: refuses a stream that is missing, or that cannot hold a log. */
export async function checkStream({ manager }: NatsLink, config: NatsLogConfig): Promise<void> {
  const { stream } = config;
  try {
    checkSettings(await manager.streams.info(stream), config);
  } catch (error) {
    if (isMissing(error))
      throw new DatabaseRefused(
        `the stream ${stream} is missing, and only a user who may write makes it: start that one first`,
        { cause: error },
      );
    const { cause } = error as Error;
    if (!(cause instanceof PermissionViolationError)) throw error;
    const published = readSubjectsOf(stream).join(", ");
    throw new DatabaseRefused(
      `the log's user may not read the stream ${stream} (${cause.message}). Let it publish to ${published}, and subscribe to ` +
        `_INBOX.> and ${storedSubjectOf(stream)}`,
      { cause: error },
    );
  }
}

/** The requests by which a log is read. */
function readSubjectsOf(stream: string): readonly string[] {
  return ["STREAM.INFO", "STREAM.MSG.GET", "DIRECT.GET"].map((request) => `$JS.API.${request}.${stream}`);
}

function checkSettings(info: StreamInfo, config: NatsLogConfig): void {
  const differences = listDifferences(info.config, wantedStream(config));
  if (differences.length > 0)
    throw new DatabaseRefused(
      `the stream ${config.stream} cannot hold the log: ${differences.join("; ")}. ` +
        "Change it, or name a stream that does not exist yet",
    );
}

export async function setUpStream(link: NatsLink, config: NatsLogConfig, log: Log): Promise<void> {
  const info = await findOrMake(link, config);
  checkSettings(info, config);
  const { acceptedRisks = [] } = config;
  const found = [...risksOfStream(info), ...(await risksOfServers(link, info, config, log))];
  refuseRisks(found, acceptedRisks);
  for (const risk of acceptedRisks) {
    const words = found.filter((each) => each.risk === risk).map((each) => each.words);
    const advice = words.length === 0 ? "there is none now: withdraw the acceptance" : words.join("; ");
    log.warn({ risk }, `the log accepts ${NATS_RISKS[risk]}; ${advice}`);
  }
}

async function findOrMake({ manager }: NatsLink, config: NatsLogConfig): Promise<StreamInfo> {
  try {
    return await manager.streams.info(config.stream);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return manager.streams.add(wantedStream(config));
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}

/** Nothing but trimming removes a message. */
function wantedStream({ stream, replicas = DEFAULT_REPLICAS }: NatsLogConfig) {
  return {
    name: stream,
    subjects: [subjectOf(stream)],
    num_replicas: replicas,
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    max_msgs: -1,
    max_bytes: -1,
    max_age: 0,
    max_msg_size: -1,
    max_msgs_per_subject: -1,
    deny_delete: true,
    deny_purge: false,
    allow_rollup_hdrs: false,
    allow_direct: true,
    republish: { src: subjectOf(stream), dest: storedSubjectOf(stream), headers_only: true },
  } satisfies Partial<StreamConfig> & { readonly name: string };
}

function listDifferences(found: StreamConfig, wanted: ReturnType<typeof wantedStream>): readonly string[] {
  const { num_replicas: _, ...fixed } = wanted;
  const values: Readonly<Record<string, unknown>> = { ...found };
  const differences = Object.entries(fixed)
    .filter(([key, value]) => JSON.stringify(values[key] ?? false) !== JSON.stringify(value))
    .map(
      ([key, value]) => `its ${key} is ${JSON.stringify(values[key])} and must be ${JSON.stringify(value)}`,
    );
  const unwanted = ["mirror", "sources", "sealed", "allow_msg_ttl"].filter((key) => Boolean(values[key]));
  return [...differences, ...unwanted.map((key) => `its ${key} must not be set`)];
}

function risksOfStream({ config }: StreamInfo): readonly FoundRisk<NatsRisk>[] {
  const { num_replicas: replicas } = config;
  if (replicas >= DEFAULT_REPLICAS) return [];
  const words = `the log's stream has ${replicas} of ${DEFAULT_REPLICAS} replicas: the loss of a server may lose the log`;
  return [{ risk: "few-replicas", words }];
}

/** The part of a server's settings that matters. */
interface ServerSettings {
  readonly name: string;
  readonly version: string;
  readonly isSynced: boolean;
  readonly largestMessage: number;
}

/** Servers that are down are not checked, so that the log can be opened while the others serve it. */
async function risksOfServers(
  link: NatsLink,
  { cluster }: StreamInfo,
  config: NatsLogConfig,
  log: Log,
): Promise<readonly FoundRisk<NatsRisk>[]> {
  const own = link.connection.info?.server_name ?? "";
  const names = [cluster?.leader ?? own, ...(cluster?.replicas ?? []).map(({ name }) => name)];
  const known = await readSettings(link, config, names);
  const { largestMessage, name: small } =
    known.find(({ largestMessage: largest }) => largest < LARGEST_MESSAGE_BYTES) ?? {};
  if (largestMessage !== undefined) throw new DatabaseRefused(describePayload(small ?? "", largestMessage));
  if (known.length === 0) {
    const words =
      "the settings of the NATS servers cannot be read: set log.nats.systemUser to a user of their system account";
    return [
      ...risksOfVersion(own, link.connection.info?.version ?? ""),
      { risk: "unchecked-servers", words },
    ];
  }
  // Some are being started, or are cut off: another attempt may find them.
  if (known.length <= names.length / 2)
    throw new Error(`${known.length} of ${names.length} NATS servers of the stream said how they are set`);
  for (const name of names.filter((each) => !known.some((server) => server.name === each)))
    log.warn({ server: name }, "the settings of a NATS server were not checked: it does not answer");
  return known.flatMap(({ name, version, isSynced }) => [
    ...risksOfVersion(name, version),
    ...(isSynced ? [] : [{ risk: "unsynced-writes" as const, words: describeUnsynced(name) }]),
  ]);
}

function describeUnsynced(name: string): string {
  return `the NATS server ${name} acknowledges messages before they are on disk: set sync_interval: always in its jetstream block`;
}

function risksOfVersion(name: string, version: string): readonly FoundRisk<NatsRisk>[] {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [neededMajor, neededMinor] = NEEDED_VERSION;
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return [];
  const words = `the NATS server ${name} has version ${version}: take ${NEEDED_VERSION.join(".")} or newer`;
  return [{ risk: "old-servers", words }];
}

/** The settings of these servers, as the system account shows them; none without a user of it. */
async function readSettings(
  { connectAs }: NatsLink,
  { systemLogin }: NatsLogConfig,
  names: readonly string[],
): Promise<readonly ServerSettings[]> {
  if (systemLogin === undefined) return [];
  const system = await connectAs(systemLogin);
  try {
    const answers = await system.requestMany("$SYS.REQ.SERVER.PING.VARZ", "", {
      strategy: "stall",
      stall: NATS_ANSWERS_MILLISECONDS,
      maxWait: NATS_TIMEOUT_MILLISECONDS,
    });
    const settings: ServerSettings[] = [];
    for await (const answer of answers) {
      const server = parseSettings(answer.json());
      if (server !== null && names.includes(server.name)) settings.push(server);
      if (settings.length === names.length) break;
    }
    return settings;
  } finally {
    await system.close();
  }
}

/** Null for a server whose JetStream is off at present: it stores nothing. */
function parseSettings(answer: unknown): ServerSettings | null {
  const { data } = answer as {
    readonly data?: {
      readonly server_name?: string;
      readonly version?: string;
      readonly max_payload?: number;
      readonly jetstream?: { readonly config?: { readonly sync_always?: boolean } };
    };
  };
  const settings = data?.jetstream?.config;
  if (settings === undefined) return null;
  return {
    name: data?.server_name ?? "",
    version: data?.version ?? "",
    isSynced: settings.sync_always === true,
    largestMessage: data?.max_payload ?? 0,
  };
}
