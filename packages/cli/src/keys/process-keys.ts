/** Keys that every role has: ports, TLS, rates, log output, proxy. Splice's charts have no key for most of them. */
import { type KeyTable, key, under } from "./key.ts";
import { FLAG, type KeyType, PORT, TEXT } from "./key-type.ts";

const LEVEL: KeyType = {
  kind: "choice",
  of: ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF"],
  anyCase: true,
};
const RATE: KeyType = { kind: "number", min: 0.001 };

/** The TLS of a port, by the names of Canton's configuration. `hocon` are the paths of such blocks. */
export function tlsKeys(port: string, hocon: readonly string[] = []): KeyTable {
  const at = (name: string) => hocon.map((path) => `${path}.${name}`);
  return under(`callsign.tls.${port}`, [
    key("certChainFile", TEXT, "PEM file of the port's certificate and its chain", {
      otherwise: "plain HTTP",
      hocon: at("cert-chain-file"),
    }),
    key("privateKeyFile", TEXT, "PEM file of its private key, in PKCS#8", { hocon: at("private-key-file") }),
    key("trustCollectionFile", TEXT, "PEM file of the authorities of client certificates", {
      hocon: at("trust-collection-file"),
    }),
    key(
      "clientAuth.type",
      { kind: "choice", of: ["none", "optional", "require"] },
      "whether clients show a certificate",
      { otherwise: "`none`", hocon: at("client-auth.type") },
    ),
    key(
      "clientAuth.adminClient.certChainFile",
      TEXT,
      "certificate that the process shows to this port itself",
      { hocon: at("client-auth.admin-client.cert-chain-file") },
    ),
    key("clientAuth.adminClient.privateKeyFile", TEXT, "its private key, in PKCS#8", {
      hocon: at("client-auth.admin-client.private-key-file"),
    }),
    key(
      "minimumServerProtocolVersion",
      { kind: "choice", of: ["TLSv1.2", "TLSv1.3"] },
      "the oldest version that is spoken",
      { otherwise: "`TLSv1.2`", hocon: at("minimum-server-protocol-version") },
    ),
  ]);
}

interface ProcessDefaults {
  readonly dataFolder: string;
  readonly healthPort: string;
  /** Paths of the address in HOCON. */
  readonly address: readonly string[];
}

export function processKeys({ dataFolder, healthPort, address }: ProcessDefaults): KeyTable {
  return [
    ...under("callsign", [
      key("address", TEXT, "the address that every port listens on", {
        otherwise: "`127.0.0.1`",
        variables: ["HOST_BIND_IP"],
        hocon: address,
      }),
      key("dataFolder", TEXT, "where keys, and stores in SQLite, are kept", {
        otherwise: `\`${dataFolder}\``,
        variables: ["CALLSIGN_DATA_FOLDER"],
      }),
      key("healthPort", PORT, "port of `/readyz` and `/livez`; 0 for any that is free", {
        otherwise: healthPort,
        variables: ["CALLSIGN_HEALTH_PORT"],
      }),
      key("metricsPort", PORT, "port of `/metrics`", {
        otherwise: "`10013`",
        variables: ["CALLSIGN_METRICS_PORT"],
      }),
      key("metrics.nativeHistograms", FLAG, "whether `/metrics` may answer with native histograms", {
        otherwise: "`true`",
        hocon: ["canton.monitoring.metrics.histograms"],
      }),
      key("log.level", LEVEL, "the least level of log output; `TRACE` is `DEBUG`, `OFF` is `ERROR`", {
        otherwise: "`logLevelStdout`, `logLevel`, or `INFO`",
        variables: ["LOG_LEVEL_STDOUT", "LOG_LEVEL"],
      }),
      key("log.format", { kind: "choice", of: ["json", "readable"] }, "lines of JSON, or lines for people", {
        otherwise: "`json`",
        variables: ["CALLSIGN_LOG_FORMAT"],
      }),
      key("rateLimits.perAddress.perSecond", RATE, "calls of one address in a second, on each port", {
        otherwise: "no limit",
      }),
      key("rateLimits.perAddress.burst", RATE, "calls of one address that may come at once", {
        otherwise: "`perSecond`",
      }),
      key("rateLimits.perUser.perSecond", RATE, "calls of one user in a second, on each port", {
        otherwise: "no limit",
      }),
      key("rateLimits.perUser.burst", RATE, "calls of one user that may come at once", {
        otherwise: "`perSecond`",
      }),
    ]),
    ...tlsKeys("health"),
    ...tlsKeys("metrics"),
    key("logLevelStdout", LEVEL, "the least level of log output", { otherwise: "`logLevel`" }),
    key("logLevel", LEVEL, "the same, if `logLevelStdout` is omitted", { otherwise: "`INFO`" }),
    key(
      "additionalJvmOptions",
      { kind: "text", mayBeEmpty: true },
      "of these only the forward proxy: `https.proxyHost`, `https.proxyPort`, `http.nonProxyHosts`, `https.nonProxyHosts`",
      { isSecret: true, variables: ["JAVA_TOOL_OPTIONS"] },
    ),
    key(
      "additionalEnvVars",
      { kind: "list", of: { kind: "map" } },
      "`name` and `value`, or `valueFrom.secretKeyRef` with `name` and `key`: variables beside the environment's own",
      { isSecret: true },
    ),
  ];
}
