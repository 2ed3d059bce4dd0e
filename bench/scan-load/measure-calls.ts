/** Calls that have little work of their own, at the other servers of a local network. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Section } from "../measure.ts";
import { processorTimeOf } from "../network-load/process-time.ts";
import { RunningNetwork } from "../network-load/running-network.ts";
import { type Compared, compareWithBare, describeLoad } from "./compare-with-bare.ts";

/** At most 1.5 times the processor time of the floor: the call has no work of its own. */
const WITHOUT_WORK = 0.67;

export async function measureCalls(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), "callsign-calls-"));
  const network = await RunningNetwork.start(folder);
  try {
    const [node] = network.description.nodes;
    const [sv] = network.description.svs;
    if (node === undefined || sv === undefined) throw new Error("the network has no node");
    const call = (what: string, url: string, token?: string): Compared => {
      const { port, pathname } = new URL(url);
      const processorTime = () => processorTimeOf(network.pid);
      const server = { port: Number(port), processorTime, ...(token === undefined ? {} : { token }) };
      return { what, status: 200, server, next: () => pathname };
    };
    const rows = await compareWithBare([
      { ...call("GET /v2/version", `${node.ledgerUrl}/v2/version`), target: WITHOUT_WORK },
      call("SV's /v0/dso", `${sv.appUrl}/api/sv/v0/dso`),
      call("wallet's balance", `${node.validatorUrl}/api/validator/v0/wallet/balance`, node.token),
    ]);
    return { rows, note: `Calls of a local network in one process. ${describeLoad()}` };
  } finally {
    await network.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
