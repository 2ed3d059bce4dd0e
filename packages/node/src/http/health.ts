/** The operations that every application has: alive, ready, which version. */
import type { Endpoint, HealthStatus, Rejection, Version } from "@callsign/api";
import type { Clock } from "../host/host.ts";
import { MAX_HEADER_LENGTH } from "./limits.ts";
import { Refusal } from "./refusal.ts";

export interface HealthParts {
  readonly id: string;
  /** The part that is missing until the application is ready; null once it is. */
  readonly missing: () => string | null;
  /** The reason why nothing can be written at present, though reads go on; null if there is none. It may try. */
  readonly unwritable?: () => string | null;
  readonly port: () => number;
  readonly clock: Clock;
}

/** The release of Splice whose wire formats are spoken. */
export const SPOKEN_VERSION: Version = { version: "0.6.3", commit_ts: "2026-05-04T09:35:49Z" };

const PATHS: ReadonlySet<string> = new Set(["/readyz", "/livez", "/status", "/version"]);

/** Probes are answered also while the node is busy or not ready. */
export function isHealthCall({ path }: Endpoint): boolean {
  return PATHS.has(path);
}

/** Carries the reason why the node is not ready: probes expect an empty body. */
const MISSING_HEADER = "x-callsign-missing";

/** Carries a fault that needs the operator although the node is ready. */
const WARNING_HEADER = "x-callsign-warning";

/** The header of a probe's answer that says why the node is not ready. */
export function missingHeader(missing: string): Readonly<Record<string, string>> {
  return { [MISSING_HEADER]: headerText(missing) };
}

/** Health checks carry the warning; null if there is none, and for any other call. */
export function warningHeader(
  endpoint: Endpoint,
  warning: string | null,
): Readonly<Record<string, string>> | null {
  return warning === null || !isHealthCall(endpoint) ? null : { [WARNING_HEADER]: headerText(warning) };
}

function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, MAX_HEADER_LENGTH);
}

function notReady(missing: string): Rejection {
  return { status: 503, headers: missingHeader(missing), body: "" };
}

const CHECK_MILLISECONDS = 1000;

/** The check's answer, which is kept for a second: anybody may ask. */
export function checkedRarely<T>(check: () => T, { elapsedMilliseconds }: Clock): () => T {
  let last: { readonly at: number; readonly answer: T } | undefined;
  return () => {
    const now = elapsedMilliseconds();
    if (last === undefined || now - last.at >= CHECK_MILLISECONDS) last = { at: now, answer: check() };
    return last.answer;
  };
}

export function health(parts: HealthParts) {
  const { id, missing, port, clock } = parts;
  const unwritable = checkedRarely(parts.unwritable ?? (() => null), clock);
  const startedAt = clock.elapsedMilliseconds();
  return {
    isReady: () => {
      const reason = missing() ?? unwritable();
      if (reason !== null) throw new Refusal(notReady(reason));
      return undefined;
    },
    isLive: () => undefined,
    getHealthStatus: (): HealthStatus => {
      if (missing() !== null) return { not_initialized: { active: false } };
      const uptime = formatUptime(clock.elapsedMilliseconds() - startedAt);
      return { success: { id, uptime, ports: { admin: port() }, extra: null, active: true } };
    },
    getVersion: () => SPOKEN_VERSION,
  };
}

/** ISO 8601, as `PT1H2M3.4S`. */
function formatUptime(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds % 60_000) / 1000;
  const minutes = Math.trunc(milliseconds / 60_000) % 60;
  const hours = Math.trunc(milliseconds / 3_600_000);
  return `PT${hours > 0 ? `${hours}H` : ""}${minutes > 0 ? `${minutes}M` : ""}${seconds}S`;
}
