/**
 * Lookups of names through a validator's scan proxy, which asks as many scans as agreement takes, against the same lookups
 * at one scan: alone, and 16 at once. Time and processor time are ratios of the same run, taken in turns. The local network
 * has a process of its own, with all four scans in it: its processor time is that of the whole lookup.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, validatorApi } from "../../packages/api/src/index.ts";
import { median, type Row, type Section } from "../measure.ts";
import { processorTimeOf } from "../network-load/process-time.ts";
import { RunningNetwork } from "../network-load/running-network.ts";
import { type GetLoad, runGets } from "../scan-load/http-get-load.ts";

const SAMPLES = 5;
const NAMES = 32;
const MAX_TIME = 3;
const MAX_PROCESSOR = 4;

const CASES = [
  { what: "alone", connections: 1, requests: 500, isDifferent: true },
  { what: "16 at once", connections: 16, requests: 4000, isDifferent: true },
  // These are joined: no target, because no two callers need ask for the same.
  { what: "16 at once, of one name", connections: 16, requests: 4000, isDifferent: false },
];

interface Sample {
  /** Microseconds from one answer to the next. */
  readonly time: number;
  readonly processor: number;
}

type Server = Pick<GetLoad, "port" | "token"> & { readonly prefix: string };

export async function measureProxy(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), "callsign-proxy-"));
  const network = await RunningNetwork.start(folder);
  try {
    const [node] = network.description.nodes;
    const [sv] = network.description.svs;
    if (node === undefined || sv === undefined) throw new Error("the network has no node");
    const names = await buyNames(node);
    const direct: Server = {
      port: Number(new URL(sv.scanUrl).port),
      prefix: "/api/scan/v0/ans-entries/by-name/",
    };
    const proxied: Server = {
      ...{ port: Number(new URL(node.validatorUrl).port), token: node.token },
      prefix: "/api/validator/v0/scan-proxy/ans-entries/by-name/",
    };
    const rows: Row[] = [];
    for (const each of CASES) {
      const nameAt = (i: number) => names[each.isDifferent ? i % NAMES : 0];
      const sampleOf = ({ prefix, ...server }: Server) =>
        sample(network.pid, { ...server, ...each, status: 200, path: (i) => `${prefix}${nameAt(i)}` });
      const samples: { proxied: Sample; direct: Sample }[] = [];
      // The first round warms up and is not counted.
      for (let i = 0; i <= SAMPLES; i++) {
        const both = { direct: await sampleOf(direct), proxied: await sampleOf(proxied) };
        if (i > 0) samples.push(both);
      }
      rows.push(...rowsOf(each, samples));
    }
    return { rows, note: NOTE };
  } finally {
    await network.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function buyNames(node: { readonly validatorUrl: string; readonly token: string }): Promise<string[]> {
  const options = { fetch, baseUrl: `${node.validatorUrl}/api/validator`, token: () => node.token };
  const validator = createClient(validatorApi, options);
  await validator.tap({ body: { amount: "1000" } });
  const names: string[] = [];
  for (let i = 0; i < NAMES; i++) {
    const body = { name: `name-${i}`, url: "https://example.com", description: "A name." };
    const { name, subscriptionRequestCid } = await validator.createAnsEntry({ body });
    await validator.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
    names.push(name);
  }
  for (;;) {
    const query = { name_prefix: "name-", page_size: NAMES };
    const { entries } = await validator.scanProxyListAnsEntries({ query });
    if (entries.length === NAMES) return names;
  }
}

async function sample(pid: number, load: GetLoad): Promise<Sample> {
  const before = processorTimeOf(pid);
  const rate = await runGets(load);
  return { time: 1e6 / rate, processor: (processorTimeOf(pid) - before) / load.requests };
}

function rowsOf(
  { what, isDifferent }: (typeof CASES)[number],
  samples: readonly { readonly proxied: Sample; readonly direct: Sample }[],
): readonly Row[] {
  const row = (figure: keyof Sample, most: number): Row => {
    const value = median(samples.map(({ proxied }) => proxied[figure]));
    const floor = median(samples.map(({ direct }) => direct[figure]));
    const targeted = { target: `≤ ${most} ×`, met: value / floor <= most };
    return {
      ...{ what: `proxied lookup, ${what}, ${figure}`, value, unit: "µs", floor },
      ...(isDifferent ? targeted : {}),
    };
  };
  return [row("time", MAX_TIME), row("processor", MAX_PROCESSOR)];
}

const NOTE =
  `Proxied lookups: ${NAMES} names, four scans; medians of ${SAMPLES} rounds taken in turns with the floor, the same lookups at one scan.\n` +
  "The processor time is that of the process with the whole network, of which two scans answer each proxied lookup.";
