/** Finds the local network that runs on a data folder, or else on the standard ports. */
import { join, resolve } from "node:path";
import { createClient, localNetworkApi, type TransportError } from "@callsign/api";
import { readProcessRecord } from "@callsign/node";
import { z } from "zod";
import { CommandFailure, EXIT } from "../output/exit-code.ts";
import type { CommandCall } from "./network-command.ts";

const PROBE_MILLISECONDS = 2000;

const url = z.string();
const NetworkRecord = z.object({
  nodes: z.array(
    z.object({
      ...{ name: z.string(), user: z.string(), token: z.string() },
      ...{ validatorUrl: url, ledgerUrl: url, gatewayUrl: url },
    }),
  ),
  svs: z.array(z.object({ scanUrl: url, sequencerUrl: url, appUrl: url })),
  ...{ developmentUrl: url, metricsUrl: url, serviceToken: z.string() },
});

/** Addresses and tokens of a local network that runs. */
export interface RunningNetwork extends z.output<typeof NetworkRecord> {
  /** Null for a network that was found by its ports alone. */
  readonly pid: number | null;
  /** The data folder that was looked at; null for a network that was found by its ports alone. */
  readonly dataFolder: string | null;
}

type Place = Pick<CommandCall, "own" | "environment">;

export function dataFolderOf({ own, environment }: Place): string {
  const variable = environment["CALLSIGN_DATA"] ?? "";
  return resolve(String(own["data"] ?? (variable === "" ? join(".data", "localnet") : variable)));
}

/** Null if none runs. A process that does not answer yet, or no longer, counts. */
export async function findLocalNetwork(call: CommandCall): Promise<RunningNetwork | null> {
  const dataFolder = dataFolderOf(call);
  const recorded = readRunningRecord(dataFolder, call);
  if (recorded !== null) return recorded;
  const isChosen = call.own["data"] !== undefined || (call.environment["CALLSIGN_DATA"] ?? "") !== "";
  return isChosen ? null : findOnStandardPorts(call);
}

/** Null if no process runs on the folder, or a start has not ended. */
export function readRunningRecord(
  dataFolder: string,
  { host }: Pick<CommandCall, "host">,
): RunningNetwork | null {
  const record = readProcessRecord(`${dataFolder}.json`, host);
  if (record === null || !record.isAlive) return null;
  const description = NetworkRecord.safeParse(record.description);
  return description.success ? { ...description.data, pid: record.pid, dataFolder } : null;
}

export async function getLocalNetwork(call: CommandCall): Promise<RunningNetwork> {
  const found = await findLocalNetwork(call);
  if (found !== null) return found;
  throw new CommandFailure(
    EXIT.unreachable,
    `no local network runs on the data folder ${dataFolderOf(call)}. Start one: callsign up`,
  );
}

async function findOnStandardPorts(call: CommandCall): Promise<RunningNetwork | null> {
  // Loading it takes longer than all the rest of a command.
  const probed = await import("@callsign/localnet").catch(() => null);
  if (probed === null) return null;
  const { STANDARD_PORTS, NODE_NAMES, makeToken, SERVICE_USER } = probed;
  const at = (port: number) => `http://127.0.0.1:${port}`;
  const developmentUrl = at(STANDARD_PORTS.development);
  const client = createClient(localNetworkApi, {
    baseUrl: developmentUrl,
    fetch: call.fetch,
    timeoutMilliseconds: PROBE_MILLISECONDS,
  });
  const isThere = await client.getClock().then(
    () => true,
    (error: TransportError) => error.kind !== "transport",
  );
  if (!isThere) return null;
  const nodes = await Promise.all(
    NODE_NAMES.map(async (name) => {
      const { validator, ledger, gateway } = STANDARD_PORTS.nodes[name];
      const addresses = { validatorUrl: at(validator), ledgerUrl: at(ledger), gatewayUrl: at(gateway) };
      return { name, user: name, token: await makeToken(name), ...addresses };
    }),
  );
  return {
    nodes,
    svs: STANDARD_PORTS.svs.map(({ scan, sequencer, app }) => ({
      ...{ scanUrl: at(scan), sequencerUrl: at(sequencer), appUrl: at(app) },
    })),
    ...{ developmentUrl, metricsUrl: `${at(STANDARD_PORTS.metrics)}/metrics`, pid: null, dataFolder: null },
    serviceToken: await makeToken(SERVICE_USER),
  };
}
