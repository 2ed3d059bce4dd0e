/** Log lines as JSON or as text, one a line. Fields that may be secrets are redacted. */
import { pino } from "pino";
import { openLogFile } from "./log-file.ts";
import { formatReadable } from "./readable-line.ts";

export interface Log {
  readonly debug: (fields: object, message: string) => void;
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
  /** Writes a record of an administrative change, whatever the level; see `writeAudit`. */
  readonly audit?: (fields: object, message: string) => void;
  /** False if lines of this level are dropped, so that their fields need not be made; a log without it drops none. */
  readonly isLevelEnabled?: (level: LineLevel) => boolean;
  /** The same log, with these fields on every line. */
  readonly child: (fields: Readonly<Record<string, string>>) => Log;
}

export type LineLevel = "debug" | "info" | "warn" | "error";
export type LogLevel = LineLevel | "silent";
export type LogFormat = "json" | "readable";

export interface LogOptions {
  readonly level: LogLevel;
  /** `json` if omitted. */
  readonly format?: LogFormat;
  /** A file to append to; standard error if omitted. */
  readonly file?: string;
}

const SECRETS = [
  ...["token", "accessToken", "access_token", "authorization", "password", "passphrase"],
  ...[
    "secret",
    "clientSecret",
    "client_secret",
    "candidateSecret",
    "privateKey",
    "namespaceKey",
    "signingKey",
  ],
];
const REDACTED = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
/** Above every level that can be chosen but `silent`. */
const AUDIT = 70;

export function createLog({ level, format = "json", file }: LogOptions): Log {
  const destination = file === undefined ? pino.destination(2) : openLogFile(file);
  const readable = { write: (line: string) => destination.write(formatReadable(line)) };
  return pino(
    { level, customLevels: { audit: AUDIT }, redact: REDACTED, base: null },
    format === "json" ? destination : readable,
  );
}

export const silentLog: Log = pino({ level: "silent" });

/** Writes the record of an administrative change. A log without a level for it gets an info line. */
export function writeAudit(log: Log, fields: object, message: string): void {
  const write = log.audit ?? log.info;
  write.call(log, { audit: true, ...fields }, message);
}
