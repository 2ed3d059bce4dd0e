/** The ordered log of a network, from the keys under `log`. */
import type { PostgresConfig } from "@callsign/node";
import {
  NATS_RISKS,
  type NatsLogConfig,
  type NatsRisk,
  POSTGRES_RISKS,
  type PostgresRisk,
  type SharedLogSettings,
} from "@callsign/synchronizer";
import type { KeyReader } from "./key-reader.ts";
import { readLogin } from "./read-database.ts";
import { readClientTls } from "./read-tls.ts";
import type { LogSetting } from "./setups.ts";

export function readOrderedLog(reader: KeyReader, migrationId: number): LogSetting {
  const kind = reader.text("log.kind") ?? "sqlite";
  for (const other of ["postgres", "nats"])
    if (other !== kind && reader.names(`log.${other}`).length > 0)
      reader.warnings.push(`the keys under log.${other} have no effect: log.kind is ${kind}`);
  switch (kind) {
    case "postgres":
      return readPostgres(reader, migrationId);
    case "nats":
      return { kind, stream: readNats(reader) };
    default:
      readAccepted(reader, []);
      return { kind: "sqlite" };
  }
}

function readPostgres(reader: KeyReader, migrationId: number): SharedLogSettings {
  const login = readLogin(reader, {
    ...{ prefix: "log.postgres", databaseName: "callsign_log", schema: "log", migrationId },
    ...{ secretName: "log-postgres-secrets", variable: "CALLSIGN_LOG_PASSWORD" },
  });
  const hosts = reader.texts("log.postgres.hosts");
  if (hosts === undefined)
    reader.require("log.postgres.hosts", "List the servers of the log's database, such as [db-1, db-2:5433]");
  const places = (hosts ?? []).flatMap((host) => readPlace(reader, host, login.port));
  const [first = { host: "", port: login.port }, ...otherPlaces] = places;
  const database = { ...login, ...first, ...(otherPlaces.length === 0 ? {} : { otherPlaces }) };
  return { kind: "postgres", database, acceptedRisks: readAccepted(reader, POSTGRES_RISKS) };
}

/** `host`, `host:port` or `[address]:port`. */
const PLACE = /^(?:\[([^\]]+)\]|([^:\s]+))(?::(\d{1,5}))?$/;

type Server = Pick<PostgresConfig, "host" | "port">;

function readPlace(reader: KeyReader, text: string, port: number): readonly Server[] {
  const [, address, name, given] = PLACE.exec(text) ?? [];
  const host = address ?? name;
  const own = given === undefined ? port : Number(given);
  if (host !== undefined && own >= 1 && own <= 65_535) return [{ host, port: own }];
  reader.refuse("log.postgres.hosts", `has ${text}, which is no server`, "Give host or host:port");
  return [];
}

function readNats(reader: KeyReader): NatsLogConfig {
  const at = (name: string) => `log.nats.${name}`;
  const servers = reader.texts(at("servers"));
  if (servers === undefined)
    reader.require(at("servers"), "List the servers of the NATS cluster, such as [nats://nats-1:4222]");
  const replicas = reader.number(at("replicas"));
  const [login, systemLogin] = [
    readNatsUser(reader, at("user"), at("password")),
    readNatsUser(reader, at("systemUser"), at("systemPassword")),
  ];
  const tls = readClientTls(reader, at("tls"));
  const plain = servers?.find((server) => !server.startsWith("tls:"));
  if (tls !== undefined && plain !== undefined)
    reader.refuse(
      at("servers"),
      `has ${plain}, and ${at("tls")} is given`,
      `Write tls:// for every server, or remove ${at("tls")}`,
    );
  return {
    servers: servers ?? [],
    ...(tls === undefined ? {} : { tls }),
    stream: reader.text(at("stream")) ?? "callsign-log",
    ...(login === undefined ? {} : { login }),
    ...(systemLogin === undefined ? {} : { systemLogin }),
    ...(replicas === undefined ? {} : { replicas }),
    acceptedRisks: readAccepted(reader, Object.keys(NATS_RISKS) as NatsRisk[]),
  };
}

function readNatsUser(reader: KeyReader, userKey: string, passwordKey: string): NatsLogConfig["login"] {
  const [user, password] = [reader.text(userKey), reader.text(passwordKey)];
  if (user === undefined) return undefined;
  if (password === undefined) reader.require(passwordKey, `Give the password of ${userKey}`);
  return { user, password: password ?? "" };
}

function readAccepted<Risk extends NatsRisk | PostgresRisk>(
  reader: KeyReader,
  risks: readonly Risk[],
): readonly Risk[] {
  const given = reader.texts("log.accept") ?? [];
  const known = risks.filter((risk) => given.includes(risk));
  const unknown = given.find((each) => !risks.some((risk) => risk === each));
  if (unknown !== undefined) {
    const fix = risks.length === 0 ? "Remove it: log.kind sqlite has none" : `Give ${risks.join(", ")}`;
    reader.refuse("log.accept", `has ${unknown}, which is no risk of this engine`, fix);
  }
  return known;
}
