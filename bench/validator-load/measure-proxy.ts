/**
 * Lookups of names through a validator's scan proxy, which asks as many scans as agreement takes, against the same lookups
 * at one scan: alone, and 16 at once. Time and processor time are ratios of the same run, taken in turns. The local network
 * has a process of its own, with all four scans in it: its processor time is that of the whole lookup. Further rows compare
 * the same lookups with a bare proxy of two bare scans over HTTP, which shows how near the proxy is to the least that a request for each question takes.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, validatorApi } from "../../packages/api/src/index.ts";
import { median, type Row, type Section } from "../measure.ts";
import { processorTimeOf } from "../network-load/process-time.ts";
import { RunningNetwork } from "../network-load/running-network.ts";
import { type GetLoad, runGets } from "../scan-load/http-get-load.ts";
import { MeasuredServer } from "../scan-load/measured-server.ts";

const SAMPLES = 5;
const NAMES = 32;
const MAX_TIME = 3;
const MAX_PROCESSOR = 4;

const CASES = [
  { what: "alone", connections: 1, requests: 3000, names: "in turn", isTarget: true },
  { what: "16 at once", connections: 16, requests: 4000, names: "in turn", isTarget: true },
  // These are joined: no target, because no two callers need ask for the same.
  { what: "16 at once, of one name", connections: 16, requests: 4000, names: "one", isTarget: false },
  // Each asks two scans: nobody has asked for the name before, and nobody has it.
  { what: "alone, of new names", connections: 1, requests: 3000, names: "new", isTarget: false },
  { what: "16 at once, of new names", connections: 16, requests: 4000, names: "new", isTarget: false },
] as const;

interface Sample {
  /** Microseconds from one answer to the next. */
  readonly time: number;
  readonly processor: number;
}

interface Samples {
  readonly direct: Sample;
  readonly proxied: Sample;
  readonly bare: Sample;
}

interface Server extends Pick<GetLoad, "port" | "token"> {
  readonly prefix: string;
  /** In microseconds. */
  readonly processorTime: () => number | Promise<number>;
}

export async function measureProxy(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), "callsign-proxy-"));
  const network = await RunningNetwork.start(folder);
  let bareProxy: MeasuredServer | undefined;
  try {
    const [node] = network.description.nodes;
    const [sv] = network.description.svs;
    if (node === undefined || sv === undefined) throw new Error("the network has no node");
    const names = await buyNames(node);
    const processorTime = () => processorTimeOf(network.pid);
    const direct: Server = {
      ...{ port: Number(new URL(sv.scanUrl).port), processorTime },
      prefix: "/api/scan/v0/ans-entries/by-name/",
    };
    const proxied: Server = {
      ...{ port: Number(new URL(node.validatorUrl).port), token: node.token, processorTime },
      prefix: "/api/validator/v0/scan-proxy/ans-entries/by-name/",
    };
    const length = await lengthOf(`${sv.scanUrl}${direct.prefix}${names[0]}`);
    const bare = await MeasuredServer.start("../validator-load/serve-bare-proxy.ts", [length]);
    bareProxy = bare;
    const { port } = bare;
    const servers = { direct, proxied, bare: { ...direct, port, processorTime: () => bare.processorTime() } };
    const rows: Row[] = [];
    for (const each of CASES) rows.push(...rowsOf(each, await sampleAll(each, names, servers)));
    return { rows, note: NOTE };
  } finally {
    bareProxy?.stop();
    await network.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Case = (typeof CASES)[number];

async function sampleAll(
  each: Case,
  names: readonly string[],
  { direct, proxied, bare }: Readonly<Record<keyof Samples, Server>>,
): Promise<readonly Samples[]> {
  const isNew = each.names === "new";
  const sampleOf = ({ prefix, ...server }: Server, round: number, status = isNew ? 404 : 200) => {
    const nameAt = (i: number) =>
      isNew ? `new-${round}-${i}.unverified.cns` : names[each.names === "one" ? 0 : i % NAMES];
    return sample({ ...server, ...each, status, path: (i) => `${prefix}${nameAt(i)}` });
  };
  const samples: Samples[] = [];
  // The first round warms up and is not counted.
  for (let i = 0; i <= SAMPLES; i++) {
    const round = each.connections * 100 + i;
    const taken = {
      direct: await sampleOf(direct, round),
      proxied: await sampleOf(proxied, round),
      bare: await sampleOf(bare, round, 200),
    };
    if (i > 0) samples.push(taken);
  }
  return samples;
}

async function lengthOf(url: string): Promise<number> {
  return (await (await fetch(url)).arrayBuffer()).byteLength;
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

async function sample(load: GetLoad & Pick<Server, "processorTime">): Promise<Sample> {
  const before = await load.processorTime();
  const rate = await runGets(load);
  return { time: 1e6 / rate, processor: ((await load.processorTime()) - before) / load.requests };
}

function rowsOf({ what, names, isTarget }: Case, samples: readonly Samples[]): readonly Row[] {
  const medianOf = (server: keyof Samples, figure: keyof Sample) =>
    median(samples.map((each) => each[server][figure]));
  const row = (figure: keyof Sample, most: number): Row => {
    const [value, floor] = [medianOf("proxied", figure), medianOf("direct", figure)];
    const targeted = { target: `≤ ${most} ×`, met: value / floor <= most };
    return {
      ...{ what: `proxied lookup, ${what}, ${figure}`, value, unit: "µs", floor },
      ...(isTarget ? targeted : {}),
    };
  };
  const bareRow = (figure: keyof Sample): Row => ({
    ...{ what: `the same, against a bare proxy over HTTP, ${figure}`, unit: "µs" },
    ...{ value: medianOf("proxied", figure), floor: medianOf("bare", figure) },
  });
  const rows = [row("time", MAX_TIME), row("processor", MAX_PROCESSOR)];
  return names === "one" ? rows : [...rows, bareRow("time"), bareRow("processor")];
}

const NOTE =
  `Proxied lookups: ${NAMES} names in turn, on a network at rest, four scans; new names are not there. Medians of ${SAMPLES} rounds taken in turns with the floors: the same lookups at one scan, and at a\n` +
  "bare proxy of two bare node:http servers that it asks through undici, with bodies as long, in one process.\n" +
  "The processor time is that of the process with the whole network, of which two scans answer each proxied lookup.";
