/** Calls that have little work of their own, at the other servers of a local network: the processor time of a request. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, validatorApi } from "../../packages/api/src/index.ts";
import type { Row, Section } from "../measure.ts";
import { processorTimeOf } from "../network-load/process-time.ts";
import { RunningNetwork } from "../network-load/running-network.ts";
import { type Compared, compareWithBare, describeRounds, readOnce, type Times } from "./compare-with-bare.ts";
import { moveToFirstCore } from "./measured-server.ts";
import { type OwnWork, openBalanceWork, openDsoWork } from "./own-work.ts";

/** A call may take so many times the processor time of the floor, and its own work. */
const MOST = 1.5;

const NOTE =
  `Calls of a local network in one process, processor time: ${describeRounds()}, a bare node:http server whose fixed bodies are as long. ` +
  "A call may take\n1.5 times the floor and its own work. Own work is the handler, called directly over a copy of the network's databases, " +
  "and the text of the answer:\n/v0/dso finds its kept text, the balance the user's wallet, the round and the coins. /v2/version has none.";

export async function measureCalls(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), "callsign-calls-"));
  const places = { data: join(folder, "data"), copy: join(folder, "copy") };
  const closing: (() => Promise<void>)[] = [];
  try {
    await fillWallet(places.data);
    cpSync(places.data, places.copy, { recursive: true });
    const network = await RunningNetwork.start(places.data);
    closing.push(() => network.stop());
    moveToFirstCore(network.pid);
    const calls = await listCalls(network, places.copy, (work) => closing.push(work.close));
    return { rows: await compareWithBare(calls, rowOf), note: NOTE };
  } finally {
    for (const close of closing.toReversed()) await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Leaves a network that has stopped, with coin in the first user's wallet. */
async function fillWallet(folder: string): Promise<void> {
  const network = await RunningNetwork.start(folder);
  try {
    const { validatorUrl, token } = firstOf(network).node;
    const baseUrl = `${validatorUrl}/api/validator`;
    await createClient(validatorApi, { fetch, baseUrl, token: () => token }).tap({ body: { amount: "100" } });
  } finally {
    await network.stop();
  }
}

async function listCalls(
  network: RunningNetwork,
  copy: string,
  onOpened: (work: OwnWork) => void,
): Promise<readonly Compared[]> {
  const { node, sv } = firstOf(network);
  const version = callOf(network, "GET /v2/version", `${node.ledgerUrl}/v2/version`);
  const dso = callOf(network, "SV's /v0/dso", `${sv.appUrl}/api/sv/v0/dso`);
  const balance = {
    what: "wallet's balance, cached token",
    url: `${node.validatorUrl}/api/validator/v0/wallet/balance`,
  };
  const wallet = callOf(network, balance.what, balance.url, node.token);
  const { sv_user: user, sv_party_id: party } = JSON.parse(await bodyOf(dso));
  const dsoWork = openDsoWork(join(copy, "svs", "replica.db"), { user, party });
  onOpened(dsoWork);
  const scanUrls = network.description.svs.map(({ scanUrl }) => scanUrl);
  const file = join(copy, node.name, "validator", "validator.sqlite");
  const walletWork = await openBalanceWork(file, { user: node.user, scanUrls });
  onOpened(walletWork);
  return [version, await withOwnWork(dso, dsoWork), await withOwnWork(wallet, walletWork)];
}

function firstOf({ description: { nodes, svs } }: RunningNetwork) {
  const [[node], [sv]] = [nodes, svs];
  if (node === undefined || sv === undefined) throw new Error("the network has no node");
  return { node, sv };
}

function callOf(network: RunningNetwork, what: string, url: string, token?: string): Compared {
  const { port, pathname } = new URL(url);
  const processorTime = () => processorTimeOf(network.pid);
  const server = { port: Number(port), processorTime, ...(token === undefined ? {} : { token }) };
  return { what, status: 200, server, next: () => pathname };
}

/** Throws if the handler answers otherwise than the server: then it did other work. Ports change with a start. */
async function withOwnWork(call: Compared, { answer }: OwnWork): Promise<Compared> {
  const [theirs, ours] = [(await bodyOf(call)).length, (await answer()).length];
  if (Math.abs(theirs - ours) > theirs / 20)
    throw new Error(`${call.what} answers ${theirs} characters, and its handler ${ours}`);
  return { ...call, ownWork: answer };
}

function bodyOf({ server, next }: Compared): Promise<string> {
  return readOnce(server, next());
}

function rowOf({ what, ownWork }: Compared, { measured: value, floor, own }: Times): Row {
  const target = ownWork === undefined ? `≤ ${MOST} ×` : `≤ ${MOST} × + ${own.toPrecision(3)} µs of own work`;
  return { what, value, unit: "µs", floor, target, met: value <= MOST * floor + own };
}
