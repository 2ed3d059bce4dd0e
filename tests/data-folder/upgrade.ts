/** A network of an earlier release, opened by the present code: the same answers, and it goes on. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { time } from "../../packages/ledger/src/values/time.ts";
import type { LocalnetOptions } from "../../packages/localnet/src/localnet-options.ts";
import { type Localnet, startLocalnet } from "../../packages/localnet/src/start-localnet.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { ask, type Exchange, listDifferences } from "./exchange.ts";
import { decompress, unpackFolder } from "./packed-folder.ts";

export function readBeside(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, name));
}

export function readAnswers(name: string): readonly Exchange[] {
  const bytes = readBeside(name);
  return JSON.parse((name.endsWith(".br") ? decompress(bytes) : bytes).toString());
}

export interface EarlierNetwork {
  /** A packed data folder of this folder. */
  readonly dataFolder: string;
  readonly recorded: readonly Exchange[];
  readonly store?: Pick<LocalnetOptions, "database">;
}

/**
 * The second start finds the stores as the first one left them. The protocol version stays what it was, so that digests can be
 * compared; the third start activates the present one, as the local network does by itself.
 */
export async function expectToGoOn({ dataFolder, recorded, store = {} }: EarlierNetwork): Promise<void> {
  const folder = temporaryFolder();
  unpackFolder(readBeside(dataFolder), folder);
  const options: LocalnetOptions = {
    ...{ dataFolder: folder, ...store },
    clock: () => time("2026-03-01T12:00:00Z"),
    // The folder's SVs publish no URLs, and free ports would be others at every start.
    pausedAutomations: ["record-liveness", "publish-urls"],
  };
  for (const start of ["first", "second"]) {
    const network = await startLocalnet({ ...options, protocolVersion: 1n, separateReplicas: true });
    try {
      await network.settle();
      expect({ start, different: await listDifferences(network, recorded) }).toEqual({
        start,
        different: [],
      });
    } finally {
      await network.close();
    }
  }
  const network = await startLocalnet(options);
  try {
    await buyName(network);
    const { answer } = await ask(network, { at: "sequencer-1", method: "GET", path: "/v1/network" });
    expect(answer["protocolVersion"]).toBe(5);
  } finally {
    await network.close();
  }
}

async function buyName(network: Localnet): Promise<void> {
  const call = async (method: string, path: string, body?: unknown) => {
    const question = { at: "validator-app-user", method, path: `/api/validator/v0${path}`, body };
    const { status, answer } = await ask(network, question);
    expect(status, JSON.stringify(answer)).toBe(200);
    return answer;
  };
  await call("POST", "/wallet/tap", { amount: "5.0" });
  const body = { name: "after-the-move.unverified.cns", url: "", description: "" };
  const { subscriptionRequestCid } = await call("POST", "/entry/create", body);
  await call("POST", `/wallet/subscription-requests/${subscriptionRequestCid}/accept`, {});
  await network.settle();
  const { entries } = await call("GET", "/entry/all");
  expect(entries).toContainEqual(expect.objectContaining({ name: body.name }));
}
