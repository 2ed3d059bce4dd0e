/** The settings of any process: ports, rates, log output, proxy. */
import {
  type CallRate,
  type CallRates,
  type ForwardProxy,
  type Listening,
  parseProxyOptions,
} from "@callsign/node";
import { formatOrigin } from "../values/origin.ts";
import type { KeyReader } from "./key-reader.ts";
import type { Draft } from "./read-setup.ts";
import { readTls } from "./read-tls.ts";
import type { LogSettings, ProcessSetup } from "./setups.ts";

const HEALTH_PORT = 5003;
const METRICS_PORT = 10_013;

interface PortOptions {
  /** The key of the port. */
  readonly key: string;
  readonly port: number;
  /** Its name in `callsign.tls`. */
  readonly tls: string;
}

export function readListening(reader: KeyReader, { key, port, tls }: PortOptions): Listening {
  const [block, callRates] = [readTls(reader, tls), readCallRates(reader)];
  return {
    host: readAddress(reader),
    port: reader.number(key) ?? port,
    ...(block === undefined ? {} : { tls: block }),
    ...(callRates === undefined ? {} : { callRates }),
  };
}

export function readAddress(reader: KeyReader): string {
  return reader.text("callsign.address") ?? "127.0.0.1";
}

interface ProcessOptions {
  /** The role's API serves health too, unless a port is given. */
  readonly healthIsOnApi: boolean;
}

export function readProcess(reader: KeyReader, { healthIsOnApi }: ProcessOptions): Draft<ProcessSetup> {
  const health = { key: "callsign.healthPort", port: HEALTH_PORT, tls: "health" };
  const metrics = { key: "callsign.metricsPort", port: METRICS_PORT, tls: "metrics" };
  const proxy = readProxy(reader);
  return {
    health: healthIsOnApi && !reader.has("callsign.healthPort") ? null : readListening(reader, health),
    metrics: {
      ...readListening(reader, metrics),
      nativeHistograms: reader.flag("callsign.metrics.nativeHistograms") ?? true,
    },
    log: readLog(reader),
    ...(proxy === undefined ? {} : { proxy }),
  };
}

export function readCallRates(reader: KeyReader): CallRates | undefined {
  const [perAddress, perUser] = [readRate(reader, "perAddress"), readRate(reader, "perUser")];
  if (perAddress === undefined && perUser === undefined) return undefined;
  return {
    ...(perAddress === undefined ? {} : { perAddress }),
    ...(perUser === undefined ? {} : { perUser }),
  };
}

function readRate(reader: KeyReader, whose: "perAddress" | "perUser"): CallRate | undefined {
  const path = `callsign.rateLimits.${whose}`;
  const perSecond = reader.number(`${path}.perSecond`);
  const burst = reader.number(`${path}.burst`);
  if (perSecond === undefined) {
    if (burst !== undefined) reader.require(`${path}.perSecond`, "Give the calls in a second beside burst");
    return undefined;
  }
  return { perSecond, burst: Math.max(1, burst ?? perSecond) };
}

function readLog(reader: KeyReader): LogSettings {
  const level =
    reader.text("callsign.log.level") ?? reader.text("logLevelStdout") ?? reader.text("logLevel") ?? "INFO";
  const levels: Readonly<Record<string, LogSettings["level"]>> = {
    TRACE: "debug",
    DEBUG: "debug",
    INFO: "info",
    WARN: "warn",
    ERROR: "error",
    OFF: "error",
  };
  return {
    level: levels[level] ?? "info",
    format: reader.text("callsign.log.format") === "readable" ? "readable" : "json",
  };
}

const JVM_OPTIONS = "additionalJvmOptions";

/** Undefined if calls leave directly. */
function readProxy(reader: KeyReader): ForwardProxy | undefined {
  const { proxy, ignored, errors } = parseProxyOptions(reader.text(JVM_OPTIONS) ?? "");
  const origin = reader.origin(JVM_OPTIONS);
  for (const error of errors) {
    const fix = "Set https.proxyHost and https.proxyPort alone, and http.nonProxyHosts if wanted";
    reader.findings.push({
      key: JVM_OPTIONS,
      problem: error,
      fix,
      ...(origin === undefined ? {} : { origin }),
    });
  }
  if (ignored.length > 0 && origin !== undefined) {
    const reason = "there is no Java machine";
    // Anything else than an option may be a secret.
    const options = ignored.map((word) => (word.startsWith("-") ? word : "…"));
    reader.unusedKeys.push({
      key: `${JVM_OPTIONS}: ${options.join(" ")}`,
      reason,
      from: formatOrigin(origin),
    });
  }
  return proxy;
}
