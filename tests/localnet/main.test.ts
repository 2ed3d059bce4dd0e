// `npm start` as a user runs it: its output, its exit codes, its data.

import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Client, createClient } from "../../packages/api/src/client.ts";
import { localNetworkApi } from "../../packages/api/src/local-network/api.ts";
import { scanApi } from "../../packages/api/src/scan/api.ts";
import { validatorApi } from "../../packages/api/src/validator/api.ts";
import { STANDARD_PORTS } from "../../packages/localnet/src/ports.ts";
import type { NetworkDescription } from "../../packages/localnet/src/summary.ts";
import { readLogLines } from "../../packages/node/testing/log-lines.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { type CommandOutcome, runHere } from "../cli/run-here.ts";
import { outcomeOf } from "../support/call-outcome.ts";
import type { Child } from "../support/child-process.ts";
import { startMain, startQuietly } from "../support/local-network-process.ts";

const TIMEOUT = { timeout: 120_000 };

async function addressesOf(child: Child): Promise<NetworkDescription> {
  return JSON.parse(await child.said()) as NetworkDescription;
}

function walletOf({ nodes }: NetworkDescription): Client<typeof validatorApi.endpoints> {
  const { token, validatorUrl } = nodes[0] as NetworkDescription["nodes"][number];
  const baseUrl = `${validatorUrl}/api/validator`;
  return createClient(validatorApi, { fetch, baseUrl, token: () => token });
}

async function lookUp({ svs }: NetworkDescription, name: string): Promise<readonly number[]> {
  return await Promise.all(
    svs.map(async ({ scanUrl }) => {
      const scan = createClient(scanApi, { fetch, baseUrl: `${scanUrl}/api/scan` });
      return (await outcomeOf(scan.lookupAnsEntryByName({ params: { name } }))).status;
    }),
  );
}

async function buy(addresses: NetworkDescription, name: string): Promise<void> {
  const wallet = walletOf(addresses);
  await wallet.tap({ body: { amount: "5" } });
  const asked = await wallet.createAnsEntry({ body: { name, url: "", description: "" } });
  await wallet.acceptSubscriptionRequest({ params: { contract_id: asked.subscriptionRequestCid } });
  const development = createClient(localNetworkApi, { fetch, baseUrl: addresses.developmentUrl });
  await development.moveClock({ body: { forwardSeconds: 0 } });
}

describe("options", () => {
  test("-h prints the options", async () => {
    const { code, output, errors } = await startMain("-h").ended;
    expect([code, errors]).toEqual([0, ""]);
    const options = ["--fresh", "--data", "--any-ports", "--acronym", "--pause", "--json", "--log", "--help"];
    for (const option of options) expect(output).toContain(option);
  });

  test("an option that cannot be meant ends it with 2 and the usage, and starts nothing", async () => {
    const { code, output, errors } = await startMain("--frsh").ended;
    expect([code, output]).toEqual([2, ""]);
    expect(errors).toContain("There is no option --frsh: did you mean --fresh?\nUsage: callsign localnet");
    expect(errors).not.toMatch(/\n\s+at /);
  });
});

describe("a running network", () => {
  test(
    "prints its addresses, users, data folder, log file and documents, keeps its acronym and logs refusals",
    TIMEOUT,
    async () => {
      const folder = join(temporaryFolder(), "data");
      const run = startMain("--any-ports", "--data", `${folder}/`, "--acronym", "ANS");
      const output = await run.said();
      for (const word of ["app-user", "app-provider", "SV 4", "validator", "scan", "sequencer"]) {
        expect(output).toContain(word);
      }
      expect(output).toContain("  alias callsign='npm run -s callsign --'\n");
      const [, data = ""] = /^ {2}export CALLSIGN_DATA=(.*)$/m.exec(output) ?? [];
      const commands = [...output.matchAll(/^ {2}callsign ([a-z0-9 ]*[a-z0-9])/gm)].map(
        ([, words = ""]) => words,
      );
      expect(commands.length).toBeGreaterThan(5);
      const ends: CommandOutcome[] = [];
      for (const words of commands) ends.push(await runHere(words.split(" "), { CALLSIGN_DATA: data }));
      expect(ends.map(({ exitCode, complained }) => [exitCode, complained])).toEqual(ends.map(() => [0, ""]));
      expect(ends.at(-2)?.said).toContain('"name": "alice.unverified.ans"');
      expect(output).toMatch(new RegExp(`^data folder +${folder}$`, "m"));
      expect(output).toMatch(new RegExp(`^log file +${folder}\\.log$`, "m"));
      const documents = /^documents of each API .* (http:\S+)$/m.exec(output)?.[1] ?? "";
      expect(await (await fetch(documents)).text()).toMatch(/^<!doctype html>/);
      expect((await run.stop("SIGINT")).code).toBe(0);
      expect(existsSync(`${folder}.log`)).toBe(true);
      const other = await startQuietly(folder, "--acronym", "cns").ended;
      expect([other.code, other.output]).toEqual([1, ""]);
      expect(other.errors).toContain("was founded with the acronym ans and keeps it");
      expect(other.errors).not.toMatch(/\n\s+at /);
      const again = startQuietly(folder);
      const addresses = await addressesOf(again);
      expect(addresses).toMatchObject({
        acronym: "ans",
        dataFolder: folder,
        logFile: `${folder}.log`,
        docsPath: "/docs",
      });
      await buy(addresses, "bob");
      expect(await lookUp(addresses, "bob.unverified.ans")).toEqual([200, 200, 200, 200]);
      expect(await lookUp(addresses, "sv-1.sv.ans")).toEqual([200, 200, 200, 200]);
      const refused = await fetch(`${addresses.nodes[0]?.ledgerUrl}/v2/users`);
      const [, traceId] = refused.headers.get("traceparent")?.split("-") ?? [];
      expect(readLogLines(addresses.logFile)).toContainEqual(
        expect.objectContaining({ status: 401, operation: "listUsers", traceId }),
      );
      expect((await again.stop("SIGTERM")).code).toBe(0);
    },
  );

  test("does not run paused automations of SVs and validators", TIMEOUT, async () => {
    const run = startQuietly(join(temporaryFolder(), "data"), "--pause", "expire-coin, record-liveness");
    const { svs, nodes, serviceToken } = await addressesOf(run);
    const urls = [
      ...svs.map(({ appUrl }) => `${appUrl}/api/sv`),
      ...nodes.map(({ validatorUrl }) => `${validatorUrl}/api/validator`),
    ];
    const paused = await Promise.all(
      urls.map(async (url) => {
        const headers = { authorization: `Bearer ${serviceToken}` };
        const answer = await fetch(`${url}/v0/admin/automations`, { headers });
        const { automations } = (await answer.json()) as {
          automations: { automation: string; paused: boolean }[];
        };
        return automations.filter((each) => each.paused).map(({ automation }) => automation);
      }),
    );
    // Without `topup`, `walletSweep` and `autoAcceptTransfers` a validator has nothing to do for them.
    const unset = ["top-up-traffic", "sweep-wallets", "accept-transfer-offers"];
    const ofValidators = ["record-liveness", ...unset];
    expect(paused).toEqual([...svs.map(() => ["expire-coin"]), ...nodes.map(() => ofValidators)]);
    expect((await run.stop("SIGTERM")).code).toBe(0);
  });

  test("keeps a second network from its data folder", TIMEOUT, async () => {
    const folder = join(temporaryFolder(), "data");
    const first = startQuietly(folder);
    const addresses = await addressesOf(first);
    await buy(addresses, "mine");
    for (const more of [[], ["--fresh"]]) {
      const second = await startQuietly(folder, ...more).ended;
      expect([second.code, second.output]).toEqual([1, ""]);
      expect(second.errors).toContain("runs already");
      expect(second.errors).toContain("--data");
      expect(second.errors).not.toMatch(/\n\s+at /);
    }
    expect(await lookUp(addresses, "mine.unverified.cns")).toEqual([200, 200, 200, 200]);
    await buy(addresses, "more");
    expect((await first.stop("SIGTERM")).code).toBe(0);
  });

  test("a stopped network keeps its data, and --fresh deletes it", TIMEOUT, async () => {
    const folder = join(temporaryFolder(), "data");
    let run = startQuietly(folder);
    await buy(await addressesOf(run), "kept");
    const parties: string[] = [];
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const { code, signal: killed, errors } = await run.stop(signal);
      expect([code, killed, errors]).toEqual([0, null, ""]);
      run = startQuietly(folder);
      const addresses = await addressesOf(run);
      expect(await lookUp(addresses, "kept.unverified.cns")).toEqual([200, 200, 200, 200]);
      const { entries } = await walletOf(addresses).listAnsEntries();
      expect(entries.map(({ name }) => name)).toContain("kept.unverified.cns");
      parties.push((await walletOf(addresses).userStatus()).party_id);
      await buy(addresses, `after-${signal.toLowerCase()}`);
    }
    expect(new Set(parties).size).toBe(1);
    await run.stop("SIGTERM");
    run = startQuietly(folder, "--fresh");
    const addresses = await addressesOf(run);
    expect(await lookUp(addresses, "kept.unverified.cns")).toEqual([404, 404, 404, 404]);
    expect((await walletOf(addresses).userStatus()).party_id).not.toBe(parties[0]);
    await buy(addresses, "kept");
    expect((await run.stop("SIGINT")).code).toBe(0);
  });

  test("stops at once at the second signal", TIMEOUT, async () => {
    const run = startQuietly(join(temporaryFolder(), "data"));
    await run.said();
    run.signal("SIGINT");
    run.signal("SIGTERM");
    const { code } = await run.ended;
    expect([0, 130]).toContain(code);
  });
});

test("a port in use is named, and nothing stays behind", TIMEOUT, async () => {
  // The port may be in use by another local network already: the test holds then, too.
  const port = STANDARD_PORTS.development;
  const other = createServer();
  await new Promise<void>((resolve) => {
    other.once("error", () => resolve());
    other.listen(port, "127.0.0.1", resolve);
  });
  onTestFinished(() => void other.close());
  const folder = join(temporaryFolder(), "data");
  const { code, output, errors } = await startMain("--data", folder).ended;
  expect([code, output]).toEqual([1, ""]);
  expect(errors).toMatch(/^Ports? .* in use by/);
  expect(errors).toMatch(/5003 \(health and clock\)|\d more/);
  expect(errors).toContain("--any-ports");
  expect(errors).not.toMatch(/\n\s+at /);
  const run = startQuietly(folder);
  expect((await addressesOf(run)).svs.length).toBe(4);
  expect((await run.stop("SIGTERM")).code).toBe(0);
});
