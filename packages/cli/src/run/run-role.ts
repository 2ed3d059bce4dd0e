/**
 * A role as a process of its own: its log, its metrics, its ports for probes and scrapers, and the role itself, until the
 * process is told to stop.
 */
import {
  Closing,
  createLog,
  declareCertificateMetrics,
  declareProcessMetrics,
  Metrics,
  startControlServer,
  startHealthServer,
  startMetricsServer,
  untilStopped,
  VERSION,
  withOutgoing,
} from "@callsign/node";
import type { Surroundings } from "../output/surroundings.ts";
import type { ProcessSetup } from "../settings/setups.ts";
import { controlHandlers, explainMissing } from "./control-handlers.ts";
import { explainStart } from "./explain-start.ts";
import type { Role, RunningRole } from "./role.ts";

/** Resolves with the exit code. A signal during the start stops it as well. */
export async function runRole(role: Role, around: Surroundings): Promise<number> {
  const { terminal, host } = around;
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
    const started = startRole(role, closing, around);
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

/** The socket and the ports for probes and scrapers answer before the role does: its start may wait for a database. */
async function startRole(
  role: Role,
  closing: Closing,
  { host: machine, supportedVersions }: Surroundings,
): Promise<Record<string, string>> {
  const { name, setup, start } = role;
  const { proxy } = setup;
  const host = proxy === undefined ? machine : withOutgoing(machine, { proxy });
  const log = createLog(setup.log);
  log.info({ version: VERSION, node: process.versions.node }, `callsign ${name} starts`);
  const { nativeHistograms, ...scraped } = setup.metrics;
  let running: RunningRole | null = null;
  let addresses: Record<string, string> = {};
  let awaited: string | null = null;
  const missing = () => explainMissing(name, running, awaited);
  const waitFor = (reason: string | null) => {
    awaited = reason;
    if (reason !== null) log.warn({ reason }, `callsign ${name} waits`);
  };
  const control = controlHandlers(name, { running: () => running, missing, addresses: () => addresses });
  const aborting = new AbortController();
  closing.add({ close: async () => aborting.abort() });
  const socket = await startControlServer(role.dataFolder, control, { host: machine, log });
  if (socket !== null) closing.add(socket);
  const metrics = new Metrics({ nativeHistograms });
  declareProcessMetrics(metrics);
  const ports = { ...role.ports, health: setup.health ?? {}, metrics: setup.metrics };
  declareCertificateMetrics(metrics, ports, machine.files);
  const scrapes = closing.add(await startMetricsServer(scraped, metrics, { system: host, log }));
  addresses["metrics"] = `${scrapes.url}/metrics`;
  if (setup.health !== null) {
    const probes = await startHealthServer(setup.health, { id: name, missing, log }, host);
    addresses["health"] = closing.add(probes).url;
  }
  const stopping = aborting.signal;
  running = closing.add(await start({ host, log, metrics, waitFor, stopping, supportedVersions }));
  addresses = { ...running.addresses, ...addresses };
  return addresses;
}

/** Logs the warnings and the keys without an effect, whatever the level: each start repeats them before anything else. */
function announce({ log: settings, warnings, unusedKeys }: ProcessSetup): void {
  const log = createLog({ ...settings, level: "warn" });
  for (const warning of warnings) log.warn({}, warning);
  if (unusedKeys.length > 0) log.warn({ unusedKeys }, "some keys have no effect here");
}
