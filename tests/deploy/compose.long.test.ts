/**
 * The services of the compose files as processes, with the image's files and entry point and the commands and variables that
 * `docker compose` would give them. PostgreSQL is the tests' own. They join a network of `callsign sv`.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createClient, HttpError, validatorApi } from "../../packages/api/src/index.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { RoleProcess } from "../operator/role-process.ts";
import { beforeAllOrSkip } from "../support/before-all-or-skip.ts";
import { type Machine, makeMachines, spawnOn } from "../support/machines.ts";
import { skipFor } from "../support/needs.ts";
import { ownServer } from "../support/postgres.ts";
import type { PostgresServer } from "../support/postgres-server.ts";
import { buildImage } from "./image.ts";
import { type ServiceProcess, ServiceProcesses } from "./service-processes.ts";
import { COMPOSE, projectOf, runScript, type ScriptRun } from "./start-script.ts";

const MINUTE = 60_000;
const NAME = "composed.unverified.cns";
const atEnd = atEndOfFile();

let postgres: PostgresServer;
let services: ServiceProcesses;
let validatorMachine: Machine;
let sv: RoleProcess;
let folder: string;
let running: readonly ServiceProcess[] = [];

beforeAllOrSkip(async (context) => {
  const { kind, machines, remove } = makeMachines(4);
  atEnd(remove);
  if (kind !== "namespaces") skipFor("network namespaces need root on Linux", context);
  const [own, svMachine, participant, validator] = machines as [Machine, Machine, Machine, Machine];
  const access = ["host all all all scram-sha-256"];
  postgres = await ownServer({ address: own.address, access }, atEnd, context);
  folder = temporaryFolder(atEnd);
  sv = startSvs(svMachine, join(folder, "sv"));
  validatorMachine = validator;
  services = new ServiceProcesses(
    buildImage(makeFolder("app")),
    { participant, validator },
    { folder: makeFolder("volumes"), hosts: { "postgres-splice": own.address } },
    atEnd,
  );
  await sv.ready(fetch);
}, 5 * MINUTE);

function makeFolder(name: string): string {
  const made = join(folder, name);
  mkdirSync(made, { recursive: true });
  return made;
}

function startSvs(machine: Machine, own: string): RoleProcess {
  const values = {
    svs: [1, 2, 3, 4].map((number, i) => ({
      name: `sv-${number}`,
      expectedSecrets: i === 0 ? ["acme's secret"] : [],
    })),
    network: { isDevNet: true },
    disableAuth: true,
    callsign: { address: machine.address, dataFolder: join(own, "data") },
  };
  const process = new RoleProcess(machine, { role: "sv", folder: own, values });
  atEnd(async () => void (await process.stop("SIGKILL")));
  process.start();
  return process;
}

function startScript(...args: readonly string[]): ScriptRun {
  const url = (port: number) => `http://${sv.machine.address}:${port}`;
  const given = ["-s", url(5014), "-c", url(5012), "-p", "acme-validator-1", "-m", "0", ...args];
  return runScript(makeFolder("script"), "start.sh", given, { SPLICE_DB_PORT: `${postgres.port}` });
}

/** As `docker compose up` does. Resolves when the validator is ready. */
async function up(run: ScriptRun): Promise<void> {
  const project = projectOf(run);
  running = ["participant", "validator"].map((name) => services.start(project, name));
  const isReady = async () => {
    const ended = running.find(({ hasEnded }) => hasEnded());
    if (ended !== undefined) throw new Error(ended.output());
    return (await fetch(`${validatorUrl()}/readyz`).catch(() => undefined))?.status === 200;
  };
  await until(isReady, "the validator is ready", 3 * MINUTE);
}

/** All end with 0. */
async function down(): Promise<void> {
  for (const { stop } of running.toReversed()) expect(await stop()).toBe(0);
}

function validatorUrl(): string {
  return `http://${validatorMachine.address}:5003`;
}

function openValidator() {
  const token = () =>
    spawnSync("bash", [join(COMPOSE, "get-token.sh"), "administrator"], { encoding: "utf8" }).stdout.trim();
  return createClient(validatorApi, { fetch, baseUrl: `${validatorUrl()}/api/validator`, token });
}

async function findOwner(): Promise<string | undefined> {
  try {
    return (await openValidator().scanProxyLookupAnsEntryByName({ params: { name: NAME } })).entry.user;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return undefined;
    throw error;
  }
}

test(
  "the services of the compose files join a network, and a name is bought with a token of get-token.sh",
  async () => {
    const run = startScript("-o", "acme's secret");
    await up(run);
    const page = await fetch(`${validatorUrl()}/`, { headers: { accept: "text/html" } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringMatching(/<title>Callsign/)]);
    const validator = openValidator();
    // Calls are refused until the first top-up has bought traffic.
    const isTapped = () =>
      validator.tap({ body: { amount: "10.0" } }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof HttpError && error.status === 429) return false;
          throw error;
        },
      );
    await until(isTapped, "traffic is bought, and coin is tapped", 2 * MINUTE);
    const body = { name: "composed", url: "", description: "" };
    const { subscriptionRequestCid } = await validator.createAnsEntry({ body });
    await validator.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
    await vi.waitUntil(async () => (await findOwner()) !== undefined, { interval: 100, timeout: MINUTE });
    expect(await findOwner()).toMatch(/^acme-validator-1::1220/);

    const databases =
      "select string_agg(datname, ' ' order by datname) from pg_database where datname ~ '^[pv].*'";
    expect(await postgres.sql(databases)).toBe("participant-0 postgres validator");
    const health = projectOf(run).services["validator"]?.healthcheck?.test ?? [];
    const probe = spawnOn(validatorMachine, [process.execPath, ...health.slice(2)], { stdio: "ignore" });
    expect(await new Promise((resolve) => probe.once("close", resolve))).toBe(0);
  },
  5 * MINUTE,
);

test(
  "a machine that lost everything but its identity is restored by start.sh -i, and has its name and coin again",
  async () => {
    const file = join(folder, "identity.json");
    const project = projectOf(startScript("-o", ""));
    const exported = services.start(project, "participant", ["identity", "export", "--to", file]);
    expect([await exported.ended, exported.output()]).toEqual([0, expect.stringContaining(file)]);
    const owner = await findOwner();
    await down();
    for (const database of ["participant-0", "validator"]) await postgres.sql(`drop database "${database}"`);
    for (const volume of ["participant-data", "validator-data"]) services.removeVolume(volume);

    const run = startScript("-o", "", "-i", file, "-P", "acme-validator-1");
    const [call = []] = run.before;
    expect(call.slice(call.indexOf("run"), call.indexOf("run") + 3)).toEqual(["run", "--rm", "participant"]);
    const command = call.slice(call.indexOf("participant") + 1);
    const imported = services.start(projectOf(run), "participant", command);
    expect([await imported.ended, imported.output()]).toEqual([0, expect.stringContaining("is in place")]);
    await up(run);
    expect(await findOwner()).toBe(owner);
    const validator = openValidator();
    const listed = async () => (await validator.listAnsEntries()).entries.map(({ name }) => name);
    await expect.poll(listed, { timeout: MINUTE }).toEqual([NAME]);
    expect(Number((await validator.getBalance()).effective_unlocked_qty)).toBeGreaterThan(0);

    const again = services.start(projectOf(run), "participant", command);
    expect([await again.ended, again.output()]).toEqual([
      1,
      expect.stringContaining("the identity was not imported"),
    ]);
    await down();
  },
  5 * MINUTE,
);
