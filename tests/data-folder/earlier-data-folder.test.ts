// A data folder written by commit 5c721f7, before stores had versions, opens with equal digests and answers.
//
// A script on that commit made it: startLocalnet with a clock that stands still at 2026-03-01T12:00:00Z; taps,
// names bought, renewed, lapsed, cancelled and rejected by all three wallets, offers of coin, traffic, activity markers,
// two price votes, secrets used, unused and expired, nine rounds and 101 days by moving the clock; then a clean close.
// `data-folder.br` is brotli over one line of JSON with the files' paths and lengths, followed by the files' bytes.
// `answers.json` has the answers of the same commit after it opened the folder again.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { time } from "../../packages/ledger/src/values/time.ts";
import type { NodeName } from "../../packages/localnet/src/ports.ts";
import { type Localnet, startLocalnet } from "../../packages/localnet/src/start-localnet.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";

interface Exchange {
  /** `scan-1`, `sv-4`, `sequencer-2`, `ledger-app-user`, `validator-sv`. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
  readonly answer: unknown;
}

const recorded: readonly Exchange[] = JSON.parse(readBeside("answers.json").toString());

function readBeside(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, name));
}

function unpack(folder: string): void {
  const packed = brotliDecompressSync(readBeside("data-folder.br"));
  const headerEnd = packed.indexOf("\n");
  const files: readonly { path: string; bytes: number }[] = JSON.parse(packed.toString("utf8", 0, headerEnd));
  let at = headerEnd + 1;
  for (const { path, bytes } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), packed.subarray(at, at + bytes), { mode: 0o600 });
    at += bytes;
  }
}

async function ask(network: Localnet, { at, method, path, body }: Exchange) {
  const { url, token } = findServer(network, at);
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

function findServer({ nodes, svs, serviceToken }: Localnet, at: string): { url: string; token: string } {
  const [kind = "", ...rest] = at.split("-");
  const name = rest.join("-");
  const sv = svs[Number(name) - 1];
  const node = nodes[name as NodeName];
  const urls: Readonly<Record<string, string | undefined>> = {
    scan: sv?.scanUrl,
    sequencer: sv?.sequencerUrl,
    sv: sv?.appUrl,
    ledger: node?.ledgerUrl,
    validator: node?.validatorUrl,
  };
  return { url: urls[kind] ?? "", token: kind === "validator" ? node.token : serviceToken };
}

test("a data folder from before stores had versions opens with equal digests and answers, and goes on", {
  timeout: 120_000,
}, async () => {
  const dataFolder = temporaryFolder();
  unpack(dataFolder);
  const options = {
    dataFolder,
    clock: () => time("2026-03-01T12:00:00Z"),
    // The folder's SVs publish no URLs, and free ports would be others at every start.
    pausedAutomations: ["record-liveness", "publish-urls"],
  } as const;
  // A second start finds the stores as the first one left them.
  for (const start of ["first", "second"]) {
    const network = await startLocalnet(options);
    try {
      await network.settle();
      const different: unknown[] = [];
      for (const exchange of recorded) {
        const given = await ask(network, exchange);
        const wanted = { status: exchange.status, answer: exchange.answer };
        if (JSON.stringify(given) !== JSON.stringify(wanted)) different.push({ start, exchange, given });
      }
      expect(different).toEqual([]);
      if (start === "second") await buyName(network);
    } finally {
      await network.close();
    }
  }
});

async function buyName(network: Localnet): Promise<void> {
  const call = async (method: string, path: string, body?: unknown) => {
    const exchange = { at: "validator-app-user", method, path: `/api/validator/v0${path}`, body };
    const { status, answer } = await ask(network, { ...exchange, status: 200, answer: null });
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
