/**
 * A role as a process of its own: its log, its metrics, its ports for probes and scrapers, and the role itself, until the
 * process is told to stop.
 */
import {
  Closing,
  createLog,
  declareProcessMetrics,
  type Host,
  type Log,
  Metrics,
  startHealthServer,
  startMetricsServer,
  untilStopped,
  withOutgoing,
} from "@callsign/node";
import type { Terminal } from "../output/terminal.ts";
import type { ProcessSetup } from "../settings/setups.ts";
import { explainStart } from "./explain-start.ts";

/** The parts that a process has before its role starts. */
export interface RoleParts {
  readonly host: Host;
  readonly log: Log;
  readonly metrics: Metrics;
}

export interface RunningRole {
  /** The URLs of its APIs, by their names. */
  readonly addresses: Readonly<Record<string, string>>;
  /** The reason why it is not ready; null if it is. */
  readonly missing: () => string | null;
  /** The reason why nothing can be written at present; null if there is none. */
  readonly unwritable?: () => string | null;
  readonly close: () => Promise<void>;
}

export interface Role {
  readonly name: string;
  readonly setup: ProcessSetup;
  readonly start: (parts: RoleParts) => Promise<RunningRole>;
}

/** Resolves with the exit code. A signal during the start stops it as well. */
export async function runRole(role: Role, terminal: Terminal, host: Host): Promise<number> {
  const { name, setup } = role;
  announce(setup);
  const closing = new Closing();
  const ended = new AbortController();
  const stopped = untilStopped({
    close: () => closing.close(),
    onFailure: (error) => terminal.complain(`${explainStart(error)}\n`),
    host,
    until: ended.signal,
  });
  try {
    const started = startRole(role, closing, host);
    const addresses = await Promise.race([started, stopped]);
    if (typeof addresses === "number") return addresses;
    const lines = Object.entries(addresses).map(([what, url]) => `  ${what}: ${url}\n`);
    terminal.write(`callsign ${name} listens\n${lines.join("")}`);
    return await stopped;
  } catch (error) {
    terminal.complain(`callsign ${name} cannot start: ${explainStart(error)}\n`);
    await closing.close();
    return 1;
  } finally {
    ended.abort();
  }
}

/** The ports for probes and scrapers answer before the role does: its start may wait for a database. */
async function startRole(
  { name, setup, start }: Role,
  closing: Closing,
  machine: Host,
): Promise<Record<string, string>> {
  const { proxy } = setup;
  const host = proxy === undefined ? machine : withOutgoing(machine, { proxy });
  const log = createLog(setup.log);
  const { nativeHistograms, ...scraped } = setup.metrics;
  const metrics = new Metrics({ nativeHistograms });
  declareProcessMetrics(metrics);
  const scrapes = closing.add(await startMetricsServer(scraped, metrics, { system: host, log }));
  const addresses: Record<string, string> = { metrics: `${scrapes.url}/metrics` };
  let running: RunningRole | null = null;
  if (setup.health !== null) {
    const missing = () =>
      running === null ? `the ${name} is starting; its log tells more` : running.missing();
    const unwritable = () => running?.unwritable?.() ?? null;
    const probes = await startHealthServer(setup.health, { id: name, missing, unwritable, log }, host);
    addresses["health"] = closing.add(probes).url;
  }
  running = closing.add(await start({ host, log, metrics }));
  return { ...running.addresses, ...addresses };
}

/** Logs the warnings and the keys without an effect, whatever the level: each start repeats them before anything else. */
function announce({ log: settings, warnings, unusedKeys }: ProcessSetup): void {
  const log = createLog({ ...settings, level: "warn" });
  for (const warning of warnings) log.warn({}, warning);
  if (unusedKeys.length > 0) log.warn({ unusedKeys }, "some keys have no effect here");
}
