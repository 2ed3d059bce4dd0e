/**
 * The services of the compose files as processes: the image's files and entry point, the commands and variables that
 * `docker compose` would give them, a machine for each service with the services' names in its hosts file. PostgreSQL is the
 * tests' own. They join a network of `callsign sv`.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createClient, HttpError, validatorApi } from "../../packages/api/src/index.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { RoleProcess } from "../operator/role-process.ts";
import { type Machine, makeMachines, spawnOn } from "../support/machines.ts";
import { skipFor } from "../support/needs.ts";
import { ownServer } from "../support/postgres.ts";
import { buildImage } from "./image.ts";
import { COMPOSE, projectOf, runScript } from "./start-script.ts";

const MINUTE = 60_000;
const atEnd = atEndOfFile();

test(
  "the services of the compose files join a network, and a name is bought with a token of get-token.sh",
  async (context) => {
    const { kind, machines, remove } = makeMachines(4);
    atEnd(remove);
    if (kind !== "namespaces") skipFor("network namespaces need root on Linux", context);
    const [own, svMachine, participantMachine, validatorMachine] = machines as [
      Machine,
      Machine,
      Machine,
      Machine,
    ];
    const postgres = await ownServer(
      { address: own.address, access: ["host all all all scram-sha-256"] },
      atEnd,
      context,
    );
    const folder = temporaryFolder(atEnd);
    const sv = startSvs(svMachine, join(folder, "sv"));
    const image = buildImage(makeFolder(folder, "app"));

    const url = (port: number) => `http://${svMachine.address}:${port}`;
    const run = runScript(
      makeFolder(folder, "script"),
      "start.sh",
      ["-s", url(5014), "-c", url(5012), "-o", "acme's secret", "-p", "acme-validator-1", "-m", "0"],
      { SPLICE_DB_PORT: `${postgres.port}` },
    );
    const project = projectOf(run);
    const hosts = {
      "postgres-splice": own.address,
      participant: participantMachine.address,
      validator: validatorMachine.address,
    };
    const outputs = Object.entries({ participant: participantMachine, validator: validatorMachine }).map(
      ([name, machine]) => {
        const service = project.services[name];
        if (service === undefined) throw new Error(`there is no service ${name}`);
        nameHosts(machine, hosts);
        const [program = "", ...args] = [...image.entrypoint, ...(service.command ?? [])];
        expect(program).toBe("node");
        // The named volume, which the image's own folder stands for.
        const volume = makeFolder(folder, `${name}-data`);
        const environment = { ...image.environment, ...service.environment };
        const env = { PATH: process.env["PATH"], ...environment, CALLSIGN_DATA_FOLDER: volume };
        return startProcess(machine, [process.execPath, ...args], env, image.folder);
      },
    );

    await sv.ready(fetch);
    const validatorUrl = `http://${validatorMachine.address}:5003`;
    const isReady = async () => {
      const ended = outputs.find(({ hasEnded }) => hasEnded());
      if (ended !== undefined) throw new Error(ended.output());
      return (await fetch(`${validatorUrl}/readyz`).catch(() => undefined))?.status === 200;
    };
    await until(isReady, "the validator is ready", 3 * MINUTE);

    const token = () => readToken("administrator");
    const validator = createClient(validatorApi, { fetch, baseUrl: `${validatorUrl}/api/validator`, token });
    // Calls are refused until the first top-up has bought traffic.
    const isTapped = async () => {
      const tapped = validator.tap({ body: { amount: "10.0" } });
      return await tapped.then(
        () => true,
        (error: unknown) => {
          if (error instanceof HttpError && error.status === 429) return false;
          throw error;
        },
      );
    };
    await until(isTapped, "traffic is bought, and coin is tapped", 2 * MINUTE);
    const body = { name: "composed", url: "", description: "" };
    const { subscriptionRequestCid } = await validator.createAnsEntry({ body });
    await validator.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
    const name = "composed.unverified.cns";
    const findOwner = async () => {
      try {
        return (await validator.scanProxyLookupAnsEntryByName({ params: { name } })).entry.user;
      } catch (error) {
        if (error instanceof HttpError && error.status === 404) return undefined;
        throw error;
      }
    };
    await vi.waitUntil(async () => (await findOwner()) !== undefined, { interval: 100, timeout: MINUTE });
    expect(await findOwner()).toMatch(/^acme-validator-1::1220/);

    expect(
      await postgres.sql(
        "select string_agg(datname, ' ' order by datname) from pg_database where datname ~ '^(participant|validator)'",
      ),
    ).toBe("participant-0 validator");
    const health = project.services["validator"]?.healthcheck?.test ?? [];
    const probe = spawnOn(validatorMachine, [process.execPath, ...health.slice(2)] as [string, ...string[]], {
      stdio: "ignore",
    });
    expect(await new Promise((resolve) => probe.once("close", resolve))).toBe(0);
    for (const { stop } of outputs.reverse()) expect(await stop()).toBe(0);
  },
  10 * MINUTE,
);

function readToken(user: string): string {
  return spawnSync("bash", [join(COMPOSE, "get-token.sh"), user], { encoding: "utf8" }).stdout.trim();
}

function makeFolder(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function startSvs(machine: Machine, folder: string): RoleProcess {
  const values = {
    svs: [1, 2, 3, 4].map((number, i) => ({
      name: `sv-${number}`,
      expectedSecrets: i === 0 ? ["acme's secret"] : [],
    })),
    network: { isDevNet: true },
    disableAuth: true,
    callsign: { address: machine.address, dataFolder: join(folder, "data") },
  };
  const sv = new RoleProcess(machine, { role: "sv", folder, values });
  atEnd(async () => void (await sv.stop("SIGKILL")));
  sv.start();
  return sv;
}

/** `ip netns exec` puts the files of /etc/netns/<namespace> in the place of those in /etc. */
function nameHosts(machine: Machine, hosts: Readonly<Record<string, string>>): void {
  const namespace = machine.on("true")[3] ?? "";
  const folder = join("/etc/netns", namespace);
  mkdirSync(folder, { recursive: true });
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const lines = Object.entries({ localhost: "127.0.0.1", ...hosts }).map(
    ([name, address]) => `${address} ${name}\n`,
  );
  writeFileSync(join(folder, "hosts"), lines.join(""));
}

function startProcess(
  machine: Machine,
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
) {
  const child = spawnOn(machine, command, { stdio: ["ignore", "pipe", "pipe"], cwd, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      output = (output + chunk).slice(-20_000);
    });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = (signal: NodeJS.Signals = "SIGTERM") => {
    if (!hasEnded()) child.kill(signal);
    return ended;
  };
  atEnd(async () => void (await stop("SIGKILL")));
  return { output: () => output, hasEnded, stop };
}
