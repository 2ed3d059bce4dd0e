/** The ordered log of a network: a file of this process, or an engine that SVs on several machines share. */
import { logDatabaseKeys } from "./database-keys.ts";
import { type KeyTable, key, under } from "./key.ts";
import { identifier, TEXT, TEXTS } from "./key-type.ts";

const LOG_KINDS = ["sqlite", "postgres", "nats"];

const NATS_SERVER = {
  kind: "text",
  pattern: /^(nats|tls):\/\/[^\s/@]+$/,
  form: "a server such as nats://host:4222",
} as const;

/** A password of NATS, from a mounted secret or a variable. */
function natsPassword(name: string, meaning: string, variable: string) {
  return key(name, { kind: "text", max: 1000 }, meaning, {
    isSecret: true,
    variables: [variable],
    mounted: { name: "log-nats-secrets", key: name, nameFrom: "log.nats.secretName" },
  });
}

export const LOG_KEYS: KeyTable = [
  key("log.kind", { kind: "choice", of: LOG_KINDS }, "the engine of the ordered log", {
    otherwise: "`sqlite`: a file in `callsign.dataFolder`, for SVs of one process",
  }),
  key(
    "log.accept",
    TEXTS,
    "risks of the log's engine that the operator takes, by the names that a refused start gives",
    {
      otherwise: "none",
    },
  ),
  ...logDatabaseKeys(),
  ...under("log.nats", [
    key(
      "servers",
      { kind: "list", of: NATS_SERVER, min: 1 },
      "the servers of the NATS cluster; `tls://` for TLS",
    ),
    key("stream", identifier(60), "the stream, made if it is missing", { otherwise: "`callsign-log`" }),
    key("replicas", { kind: "whole", min: 1, max: 5 }, "replicas of a stream that is made", {
      otherwise: "`3`",
    }),
    key("user", TEXT, "a user of the account that holds the stream"),
    natsPassword("password", "the user's password", "CALLSIGN_LOG_NATS_PASSWORD"),
    key("systemUser", TEXT, "a user of the system account, who may read the servers' settings"),
    natsPassword("systemPassword", "that user's password", "CALLSIGN_LOG_NATS_SYSTEM_PASSWORD"),
    key("tls.trustCollectionFile", TEXT, "PEM file of the authorities of `tls://` servers' certificates", {
      otherwise: "the machine's",
    }),
    key("tls.certChainFile", TEXT, "PEM file of the certificate that is shown to them"),
    key("tls.privateKeyFile", TEXT, "its private key, in PKCS#8"),
    key("secretName", TEXT, "the secret with the passwords, under `password` and `systemPassword`", {
      otherwise: "`log-nats-secrets`",
    }),
  ]),
];
