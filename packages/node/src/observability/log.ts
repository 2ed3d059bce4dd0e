/** Log lines as JSON, one a line. Fields that may be secrets are redacted. */
import { pino } from "pino";
import { openLogFile } from "./log-file.ts";

export interface Log {
  readonly debug: (fields: object, message: string) => void;
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
  /** The same log, with these fields on every line. */
  readonly child: (fields: Readonly<Record<string, string>>) => Log;
}

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

export interface LogOptions {
  readonly level: LogLevel;
  /** A file to append to; standard error if omitted. */
  readonly file?: string;
}

const SECRETS = ["token", "secret", "password", "authorization", "privateKey"];
const REDACTED = SECRETS.flatMap((name) => [name, `*.${name}`]);

export function createLog({ level, file }: LogOptions): Log {
  const destination = file === undefined ? pino.destination(2) : openLogFile(file);
  return pino({ level, redact: REDACTED, base: null }, destination);
}

export const silentLog: Log = pino({ level: "silent" });
