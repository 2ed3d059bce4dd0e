/** A made-up application in an empty folder, with the packages of this repository installed from tarballs. */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";

const root = join(import.meta.dirname, "../..");
const INSTALL_MILLISECONDS = 600_000;

export interface CommandEnd {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** The temporary folder of the commands. */
export const TEMPORARY = temporaryFolder(atEndOfFile());

/** Programs that a command starts run on this Node. npm asks its cache first, and runs no scripts. */
function environment(): NodeJS.ProcessEnv {
  const path = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
  const { NODE_OPTIONS: _, VITEST: __, NODE_ENV: ___, ...rest } = process.env;
  const npm = {
    ...{ update_notifier: "false", fund: "false", audit: "false", loglevel: "error" },
    ...{ prefer_offline: "true", package_lock: "false", ignore_scripts: "true" },
  };
  const settings = Object.entries(npm).map(([name, value]) => [`npm_config_${name}`, value]);
  return { ...rest, ...Object.fromEntries(settings), PATH: path, NO_COLOR: "1", TMPDIR: TEMPORARY };
}

export function run(cwd: string, command: string, ...args: readonly string[]): CommandEnd {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...{ cwd, env: environment(), encoding: "utf8", timeout: INSTALL_MILLISECONDS, maxBuffer: 1e8 },
  });
  return { code: status, output: stdout ?? "", errors: `${stderr ?? ""}${error?.message ?? ""}` };
}

/** The commands of docs/operating.md by which packages are installed and tried. */
export const INSTALL_COMMANDS: readonly string[] = listInstallCommands();

function listInstallCommands(): readonly string[] {
  const document = readFileSync(join(root, "docs/operating.md"), "utf8");
  const [, commands = ""] = /## Install\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(document) ?? [];
  return commands.trim().split("\n");
}

interface RootManifest {
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, string>>;
}

function readJson(path: string): object {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Null, or the reason why npm could not install everything: the packages as the document says, then the tools of tests. */
export function installApplication(folder: string): string | null {
  const packed = run(root, process.execPath, "scripts/pack.ts", "--to", join(folder, "dist"));
  if (packed.code !== 0) throw new Error(packed.output + packed.errors);
  cpSync(join(import.meta.dirname, "application"), folder, { recursive: true });
  const manifest = join(folder, "package.json");
  const { devDependencies, overrides } = readJson(join(root, "package.json")) as RootManifest;
  // Versions that this repository pins because others lack builds for some platforms.
  writeFileSync(manifest, JSON.stringify({ ...readJson(manifest), overrides }));
  const tools = ["vitest", "typescript", "@types/node"].map((name) => `${name}@${devDependencies[name]}`);
  const [install = ""] = INSTALL_COMMANDS;
  for (const command of [install, `npm install ${tools.join(" ")}`]) {
    const { code, errors } = run(folder, "sh", "-c", command);
    if (code !== 0) return errors;
  }
  return null;
}

/** A command in a group of processes, as a terminal starts it. */
export function start(cwd: string, command: string, ...args: readonly string[]) {
  const child = spawn(command, args, {
    ...{ cwd, env: environment(), detached: true },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let output = "";
  const line = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      if (output.includes("\n")) resolve(output.slice(0, output.indexOf("\n")));
    });
    child.once("close", (code) => reject(new Error(`${command} ended with ${code}`)));
  });
  const stop = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), signal);
    await closed;
  };
  return { line, stop };
}

/** Every `node` on the path, with its version. */
export function listNodes(): readonly { readonly path: string; readonly version: string }[] {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"];
  return [...new Set(folders)].flatMap((folder) => {
    const path = join(folder, "node");
    const { status, stdout } = spawnSync(path, ["-p", "process.versions.node"], { encoding: "utf8" });
    return status === 0 ? [{ path, version: stdout.trim() }] : [];
  });
}
