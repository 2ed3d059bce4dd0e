// The packages as npm installs them, in an empty folder: the command, the import, its types, and a Node that is too old.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, onTestFinished, type TestContext, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { skipFor } from "../support/needs.ts";
import {
  INSTALL_COMMANDS,
  installApplication,
  listNodes,
  run,
  start,
  TEMPORARY,
} from "./installed-application.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines: unknown;
  readonly dependencies: Readonly<Record<string, string>>;
}

const folder = temporaryFolder(atEndOfFile());
const { version } = readManifest(join(import.meta.dirname, "../.."));
const workspaces = readdirSync(join(import.meta.dirname, "../../packages"));
let notInstalled: string | null = "npm has not run";

beforeAll(() => {
  notInstalled = installApplication(folder);
}, 900_000);

/** The folder of the application; skips the test if its packages could not be fetched. */
function application(context: TestContext): string {
  if (notInstalled === null) return folder;
  if (/ENOTFOUND|ECONN|EAI_AGAIN|ETIMEDOUT|network|ENOTCACHED/.test(notInstalled))
    return skipFor(`npm cannot reach the packages of others: ${notInstalled}`, context);
  throw new Error(notInstalled);
}

function readManifest(place: string): Manifest {
  return JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
}

function listInstalled(): readonly string[] {
  const modules = join(folder, "node_modules");
  const scoped = readdirSync(join(modules, "@callsign")).map((name) => join(modules, "@callsign", name));
  return [join(modules, "callsign"), ...scoped];
}

test("every package is there, with its license and exact versions of the others", (context) => {
  application(context);
  const installed = listInstalled();
  expect(installed.length).toBe(workspaces.length);
  for (const place of installed) {
    const manifest = readManifest(place);
    expect(manifest).toMatchObject({ version, license: "Apache-2.0", engines: { node: "^24.20 || >=26.6" } });
    const own = Object.entries(manifest.dependencies).filter(([name]) => name.startsWith("@callsign/"));
    expect(new Set([version, ...own.map(([, given]) => given)])).toEqual(new Set([version]));
    for (const name of ["LICENSE", "README.md"]) expect(existsSync(join(place, name))).toBe(true);
  }
});

test("packages hold JavaScript and declarations, whose imports lead to files", (context) => {
  application(context);
  const broken: string[] = [];
  const web = join(folder, "node_modules/@callsign/web");
  for (const place of listInstalled().filter((each) => each !== web)) {
    const files = readdirSync(join(place, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.\w+$/.test(name),
    );
    expect(files.filter((name) => !/(?<!\.test)(\.js|\.d\.ts)$/.test(name))).toEqual([]);
    expect(files.filter((name) => name.endsWith(".js")).length).toBeGreaterThan(5);
    for (const name of files) {
      const path = join(place, "src", name);
      const code = readFileSync(path, "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
      for (const [, wanted = ""] of code.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)) {
        const isThere = existsSync(join(dirname(path), wanted));
        if (!isThere || wanted.endsWith(".ts")) broken.push(`${path}: ${wanted}`);
      }
    }
  }
  expect(broken).toEqual([]);
});

test("the web application is there as it is built, with every file that its page names, and nothing else", (context) => {
  application(context);
  const place = join(folder, "node_modules/@callsign/web");
  expect(readdirSync(place).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
  const page = readFileSync(join(place, "dist/index.html"), "utf8");
  const named = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(0);
  for (const path of named) expect([path, existsSync(join(place, "dist", path))]).toEqual([path, true]);
  expect(readManifest(place).dependencies).toEqual({});
});

test("npx callsign tells its version, its help, and the mistakes of a configuration", (context) => {
  const cwd = application(context);
  const [, ...tried] = INSTALL_COMMANDS;
  expect(tried).toEqual(["npx callsign --version", "npx callsign help"]);
  const [told, help] = tried.map((command) => run(cwd, "sh", "-c", command));
  expect(told).toEqual({ code: 0, output: `${version}\n`, errors: "" });
  expect(help).toEqual({ code: 0, output: expect.stringMatching(/^Usage: callsign <command>/), errors: "" });
  writeFileSync(join(cwd, "values.yaml"), "validatorPartyhint: acme\n");
  const checked = run(cwd, "npx", "callsign", "config", "check", "validator", "-f", "values.yaml");
  expect(checked.code).toBe(1);
  expect(checked.output + checked.errors).toContain("Did you mean validatorPartyHint");
});

test("npx callsign up starts a network in the background, which other commands find and down stops", (context) => {
  const cwd = application(context);
  const npx = (...words: readonly string[]) => run(cwd, "npx", "callsign", ...words, "--data", "background");
  onTestFinished(() => void npx("down"));
  const up = npx("up", "--any-ports");
  expect([up.code, up.errors]).toEqual([0, ""]);
  expect(JSON.parse(npx("resolve", "sv-1.sv.cns").output)).toMatchObject({ entry: { name: "sv-1.sv.cns" } });
  expect(npx("down").code).toBe(0);
  expect(npx("status").code).toBe(4);
});

test("npx callsign localnet answers over HTTP, and stops with its terminal", async (context) => {
  const cwd = application(context);
  const network = start(cwd, "npx", "callsign", "localnet", "--any-ports", "--json");
  onTestFinished(() => network.stop("SIGKILL"));
  const { svs, nodes } = JSON.parse(await network.line) as {
    readonly svs: readonly { readonly scanUrl: string }[];
    readonly nodes: readonly { readonly gatewayUrl: string }[];
  };
  const answers = await Promise.all(
    svs.map(async ({ scanUrl }) => {
      const answer = await fetch(`${scanUrl}/api/scan/v0/dso-party-id`);
      return (await answer.json()) as { readonly dso_party_id: string };
    }),
  );
  expect(answers.length).toBe(4);
  for (const answer of answers)
    expect(answer).toEqual({ dso_party_id: expect.stringMatching(/^DSO::1220[0-9a-f]{64}$/) });
  for (const { gatewayUrl } of nodes) {
    const page = await fetch(gatewayUrl);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<!doctype html>")]);
  }
  await network.stop("SIGINT");
  expect(existsSync(join(cwd, ".data/localnet/log.db"))).toBe(true);
});

test("an application's own tests run against startLocalnet()", (context) => {
  const cwd = application(context);
  const reporting = ["--reporter=json", "--outputFile=report.json"];
  const { code, output, errors } = run(cwd, "npx", "vitest", "run", ...reporting);
  expect(code, errors + output).toBe(0);
  expect(JSON.parse(readFileSync(join(cwd, "report.json"), "utf8"))).toMatchObject({
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 0,
  });
  expect(readdirSync(TEMPORARY).filter((name) => name.startsWith("callsign-localnet-"))).toEqual([]);
});

test("an application's types are checked, those of the packages included", (context) => {
  const cwd = application(context);
  expect(run(cwd, "npx", "tsc")).toEqual({ code: 0, output: "", errors: "" });
});

test("the packages can be loaded by require", (context) => {
  const cwd = application(context);
  const script = 'console.log(Object.keys(require("callsign")).sort().join())';
  const { output } = run(cwd, process.execPath, "--input-type=commonjs", "--eval", script);
  expect(output).toBe("makeToken,startLocalnet\n");
});

test("an older Node gets one sentence from the command and from the import", (context) => {
  const cwd = application(context);
  const older = listNodes().filter((node) => Number.parseInt(node.version, 10) < 24);
  if (older.length === 0) return context.skip("this machine has no Node below 24");
  writeFileSync(
    join(cwd, "static.mjs"),
    'import { startLocalnet } from "callsign"; await startLocalnet();\n',
  );
  const load = 'import("callsign").catch(({ message }) => process.stdout.write(message))';
  for (const node of older) {
    const sentence =
      `callsign needs Node 24 from 24.20 on, or 26.6 or newer, and this is Node ${node.version}. ` +
      "Install one from https://nodejs.org, or with a version manager such as nvm: nvm install 24";
    const command = run(cwd, node.path, "node_modules/.bin/callsign", "--version");
    expect(command).toEqual({ code: 1, output: "", errors: `${sentence}\n` });
    expect(run(cwd, node.path, "--eval", load).output).toBe(sentence);
    const imported = run(cwd, node.path, "static.mjs");
    expect(imported.code).not.toBe(0);
    expect(imported.errors).toContain(`Error: ${sentence}\n`);
  }
});
