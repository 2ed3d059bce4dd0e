// `callsign sv --workers 2`: an SV's scan by worker processes, its end by SIGKILL, and a damaged row that a worker reads.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { openDatabase } from "../../packages/node/src/database/open-database.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { Child } from "../support/child-process.ts";
import { freePort } from "../support/free-port.ts";
import { isRunning, listWorkers } from "./changing-scan.ts";

const MAIN = join(import.meta.dirname, "../../packages/cli/src/main.ts");

interface RunningSv {
  readonly child: Child;
  readonly scan: string;
}

/** Starts it, or starts it again, and waits until its scan is ready. */
async function start(folder: string, port: number): Promise<RunningSv> {
  const values = {
    svs: [{ name: "sv-1", ports: { scan: port, sequencer: 0, app: 0 } }],
    auth: { jwksUrl: "http://127.0.0.1:9/keys", audience: "https://sv.example" },
    callsign: { healthPort: 0, metricsPort: 0, dataFolder: join(folder, "data") },
  };
  const file = join(folder, "values.yaml");
  writeFileSync(file, stringify(values));
  const child = new Child(MAIN, "sv", "-f", file, "--workers", "2");
  onTestFinished(() => child.kill());
  const scan = `http://127.0.0.1:${port}`;
  const isReady = async () => (await fetch(`${scan}/readyz`).catch(() => null))?.status === 200;
  const ended = child.ended.then(({ errors }) => {
    throw new Error(`it ended: ${errors}`);
  });
  await Promise.race([until(isReady, "its scan is ready"), ended]);
  ended.catch(() => undefined);
  return { child, scan };
}

test("workers of an SV's scan end with it, and another start serves the same replica", async () => {
  const [folder, port] = [temporaryFolder(), await freePort()];
  const { child, scan } = await start(folder, port);
  const dso = await (await fetch(`${scan}/v0/dso-party-id`)).text();
  const workers = listWorkers(child.errors);
  expect(workers.map(isRunning)).toEqual([true, true]);
  await child.kill();
  await until(() => !workers.some(isRunning), "no worker is left");
  const again = await start(folder, port);
  expect(await (await fetch(`${again.scan}/v0/dso-party-id`)).text()).toBe(dso);
  const { code } = await again.child.stop("SIGTERM");
  expect([code, listWorkers(again.child.errors).filter(isRunning)]).toEqual([0, []]);
});

test("a worker that reads a damaged row halts the replica, and every worker says so", async () => {
  const [folder, port] = [temporaryFolder(), await freePort()];
  const { scan } = await start(folder, port);
  const database = openDatabase(join(folder, "data/sv-1/replica.db"), { hasReaders: true });
  const party = database.prepare("select party from hosting").get()?.["party"] as string;
  database.prepare("update hosting set hosts = 'another' where party = ?").run(party);
  database.close();
  const { dso_party_id: dso } = (await (await fetch(`${scan}/v0/dso-party-id`)).json()) as {
    dso_party_id: string;
  };
  const domain = `global-domain::${dso.split("::")[1]}`;
  const path = `/v0/domains/${encodeURIComponent(domain)}/parties/${encodeURIComponent(party)}/participant-id`;
  const hangUp = { headers: { connection: "close" } };
  expect((await fetch(scan + path, hangUp)).status).toBe(500);
  for (let i = 0; i < 2; i++) {
    const ask = () => fetch(`${scan}/readyz`, hangUp);
    await until(async () => (await ask()).status === 503, "a worker is not ready");
    expect((await ask()).headers.get("x-callsign-missing")).toContain("replica.db is damaged");
  }
});

test("a port in use is told as without workers", async () => {
  const [folder, port] = [temporaryFolder(), await freePort()];
  await start(folder, port);
  const values = join(folder, "values.yaml");
  const other = join(temporaryFolder(), "data");
  const words = ["sv", "-f", values, "--workers", "2", "--set", `callsign.dataFolder=${other}`];
  const { code, errors } = await new Child(MAIN, ...words).ended;
  expect(code).toBe(1);
  expect(errors).toContain(`port ${port} of 127.0.0.1 is in use by another program`);
});
