/**
 * The cost of a name on a local network with four SVs, from the request over HTTP, through acceptance, until a scan tells of
 * it: time, processor, bytes written, bytes kept. Names are registered one after the other on a quiet network, and 24 at once.
 * The network runs in a process of its own. The floor of the time is the same number of calls that change nothing, one after
 * the other, to the same servers.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createClient, scanApi, validatorApi } from "../packages/api/src/index.ts";
import { CHANGED_KEYS } from "../packages/scan/src/rows/changed-keys.ts";
import { CURRENT_CONTRACTS } from "../packages/scan/src/rows/current-contracts.ts";
import { SCAN_CHECKED_TABLES } from "../packages/scan/src/rows/history-tables.ts";
import { median, numberOption, percentile, type Row, runSections, type Section } from "./measure.ts";
import { HeardNames } from "./network-load/heard-names.ts";
import { processorTimeOf } from "./network-load/process-time.ts";
import { RunningNetwork } from "./network-load/running-network.ts";
import { writtenBytesOf } from "./network-load/written-bytes.ts";

const NAMES = numberOption("--names", 200);
const WARM_UP = 30;
const AT_ONCE = 24;

/** The validator of a user who buys names. */
type Buyer = ReturnType<typeof createClient<typeof validatorApi.endpoints>>;

interface Market {
  readonly network: RunningNetwork;
  readonly buyers: readonly Buyer[];
  readonly scan: ReturnType<typeof createClient<typeof scanApi.endpoints>>;
  readonly heard: HeardNames;
}

async function openMarket(folder: string): Promise<Market> {
  const network = await RunningNetwork.start(folder);
  const { nodes, svs } = network.description;
  const [sv] = svs;
  if (sv === undefined) throw new Error("the network has no SV");
  const buyers = nodes.map(({ validatorUrl, token }) => {
    const baseUrl = `${validatorUrl}/api/validator`;
    return createClient(validatorApi, { fetch, baseUrl, token: () => token });
  });
  for (const buyer of buyers) await buyer.tap({ body: { amount: `${NAMES + 10}` } });
  const scan = createClient(scanApi, { fetch, baseUrl: `${sv.scanUrl}/api/scan` });
  return { network, buyers, scan, heard: await HeardNames.listen(sv.scanUrl) };
}

async function closeMarket({ network, heard }: Market): Promise<void> {
  heard.close();
  await network.stop();
}

interface Times {
  readonly request: number;
  readonly accept: number;
  /** From the acknowledged payment until the scan tells of the name. */
  readonly live: number;
}

async function register(buyer: Buyer, heard: HeardNames, chosen: string): Promise<Times> {
  const began = performance.now();
  const body = { name: chosen, url: "", description: "" };
  const { name, subscriptionRequestCid } = await buyer.createAnsEntry({ body });
  const requested = performance.now();
  await buyer.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
  const accepted = performance.now();
  await heard.registered(name);
  return { request: requested - began, accept: accepted - requested, live: performance.now() - accepted };
}

async function floorOf({ buyers, scan }: Market): Promise<number> {
  const began = performance.now();
  await buyers[0]?.userStatus();
  await buyers[0]?.userStatus();
  await scan.getDsoPartyId();
  return performance.now() - began;
}

interface Cost {
  /** Milliseconds of processor time, and bytes, of one registration. */
  readonly processor: number;
  readonly written: number;
}

async function costOf({ network }: Market, names: number, work: () => Promise<void>): Promise<Cost> {
  const [processor, written] = [processorTimeOf(network.pid), writtenBytesOf(network.pid)];
  await work();
  return {
    processor: (processorTimeOf(network.pid) - processor) / 1000 / names,
    written: (writtenBytesOf(network.pid) - written) / names,
  };
}

/** Bytes on the disk. */
interface Kept {
  readonly scanHistory: number;
  readonly others: number;
}

/** The pages that all databases of the network use. The SVs share a replica, and its scan index. */
function keptBytes(folder: string): Kept {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(db|sqlite)$/.test(name),
  );
  let all = 0;
  for (const name of files) {
    all += readFrom(join(folder, name), (database) => {
      const read = (pragma: string) =>
        Number(Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0]);
      return (read("page_count") - read("freelist_count")) * read("page_size");
    });
  }
  const scanHistory = readFrom(join(folder, "svs", "replica.db"), pagesOfHistory);
  return { scanHistory, others: all - scanHistory };
}

/** The tables of the index's rows of the past. The others of its checked tables have what is there now. */
const HISTORY = SCAN_CHECKED_TABLES.map(({ table }) => table).filter(
  (table) => table !== CURRENT_CONTRACTS.table && table !== CHANGED_KEYS.table,
);

/** The pages of the tables and their indexes, in bytes. */
function pagesOfHistory(database: DatabaseSync): number {
  const row = database
    .prepare(
      `select sum(pgsize) as bytes from dbstat where aggregate = true and name in (
         select name from sqlite_schema where tbl_name in (${HISTORY.map(() => "?").join(", ")}))`,
    )
    .get(...HISTORY);
  return Number(row?.["bytes"]);
}

function readFrom(path: string, read: (database: DatabaseSync) => number): number {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

/** Names one after the other, in a network that stops behind them. */
async function registerOneByOne(folder: string, names: number, prefix: string) {
  const market = await openMarket(folder);
  const [times, floors]: [Times[], number[]] = [[], []];
  try {
    const [buyer] = market.buyers;
    if (buyer === undefined) throw new Error("the network has no node");
    const cost = await costOf(market, names, async () => {
      for (let i = 0; i < names; i++) times.push(await register(buyer, market.heard, `${prefix}-${i}`));
    });
    for (let i = 0; i < names; i++) floors.push(await floorOf(market));
    return { times, floors, ...cost };
  } finally {
    await closeMarket(market);
  }
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "callsign-lifecycle-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function atMost(what: string, value: number, unit: string, most: number): Row {
  return { what, value, unit, target: `≤ ${most}`, met: value <= most };
}

async function measureQuiet(): Promise<Section> {
  const { times, floors, processor, written, kept } = await inFolder(async (folder) => {
    await registerOneByOne(folder, WARM_UP, "warm-up");
    const before = keptBytes(folder);
    const measured = await registerOneByOne(folder, NAMES, "name");
    const after = keptBytes(folder);
    const grown = (of: keyof Kept) => (after[of] - before[of]) / NAMES / 1000;
    return { ...measured, kept: { scanHistory: grown("scanHistory"), others: grown("others") } };
  });
  const whole = times.map(({ request, accept, live }) => request + accept + live);
  const part = (of: keyof Times) => median(times.map((each) => each[of]));
  return {
    rows: [
      { ...atMost("request → live, p50", median(whole), "ms", 50), floor: median(floors) },
      {
        ...atMost("request → live, p99", percentile(whole, 0.99), "ms", 120),
        floor: percentile(floors, 0.99),
      },
      { what: "of that: the request, p50", value: part("request"), unit: "ms" },
      { what: "of that: accepting and paying, p50", value: part("accept"), unit: "ms" },
      { what: "of that: until a scan tells of it, p50", value: part("live"), unit: "ms" },
      atMost("processor of a registration", processor, "ms", 20),
      atMost("written a registration", written / 1000, "kB", 800),
      atMost("kept a registration, all databases without scan's history", kept.others, "kB", 50),
      atMost("scan's history of a registration", kept.scanHistory, "kB", 5),
    ],
    note:
      `${NAMES} names one after the other, after ${WARM_UP} to warm up; the network has four SVs and a process of its own.\n` +
      "Scan's history is in the replica that the SVs share: the pages of the tables in which scan's index keeps the past, with their indexes.",
  };
}

async function measureCrowd(): Promise<Section> {
  const { rate, processor } = await inFolder(async (folder) => {
    const market = await openMarket(folder);
    try {
      await registerAtOnce(market, WARM_UP, "warm-up");
      const began = performance.now();
      const cost = await costOf(market, NAMES, () => registerAtOnce(market, NAMES, "name"));
      return { ...cost, rate: (NAMES * 1000) / (performance.now() - began) };
    } finally {
      await closeMarket(market);
    }
  });
  return {
    rows: [
      { what: `registrations, ${AT_ONCE} at once`, value: rate, unit: "/s", target: "≥ 40", met: rate >= 40 },
      { what: `processor of one of ${AT_ONCE} at once`, value: processor, unit: "ms" },
    ],
    note: `${NAMES} names, ${AT_ONCE} at once, by the users of three validators in turn.`,
  };
}

async function registerAtOnce({ buyers, heard }: Market, names: number, prefix: string): Promise<void> {
  let begun = 0;
  const buy = async (buyer: Buyer): Promise<void> => {
    while (begun < names) await register(buyer, heard, `${prefix}-${begun++}`);
  };
  const buyerAt = (i: number) => buyers[i % buyers.length] as Buyer;
  await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => buy(buyerAt(i))));
}

await runSections("lifecycle", { quiet: measureQuiet, crowd: measureCrowd });
