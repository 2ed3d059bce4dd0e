// Usage: node scripts/setup.js <script> [arguments]
//
// Installs what a fresh clone lacks, then runs the script on a Node that can:
// - Node itself, from the npm registry into .node/, when the machine's is another one; its hash is checked first;
// - the dependencies, by package-lock.json, when it changed since the last install.
// When nothing is missing it reads two files and starts one process. Two may run at the same moment:
// one installs, the other waits. Plain JavaScript without dependencies, because it runs before any of them.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { MEMORY_SETTINGS, NODE_OPTIONS } from "../packages/cli/src/local-network/process-memory.js";
import { describeWrongNode, NODE_RANGE } from "../packages/cli/src/node-version.js";
import { fetchPinnedPackage, findPinnedPackage, nameOf, spawnNpm } from "./fetch-pinned-package.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const resolver = new URL("resolve-own-files.js", import.meta.url).href;
const nodeFolder = join(root, ".node");
const lockFile = join(nodeFolder, "setup.lock");
const pinnedNode = findPinnedPackage("node");
const installedStamp = join(root, "node_modules", ".installed-lock-hash");

/** @param {string} message @returns {never} */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** The `node` to run on: the machine's own if it can, otherwise the one kept in .node/. */
function nodeBinary() {
  if (describeWrongNode(process.versions.node) === null) return process.execPath;
  if (pinnedNode === undefined) {
    return fail(
      `Callsign needs Node ${NODE_RANGE}; this is ${process.version}, and there is no ready-made one for ` +
        `${process.platform}-${process.arch}. Install one, then run the command again.`,
    );
  }
  return join(nodeFolder, pinnedNode.spec, process.platform === "win32" ? "node.exe" : "node");
}

/** @param {string} node */
function environment(node) {
  return {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env["PATH"] ?? ""}`,
    NODE_COMPILE_CACHE: join(root, ".cache", "compile"),
  };
}

/** @param {string} node @param {import("./fetch-pinned-package.js").PinnedPackage} pinned */
function installNode(node, pinned) {
  process.stderr.write(
    `Fetching Node (${pinned.spec}, about 60 MB, once), because this is ${process.version} ...\n`,
  );
  const download = join(nodeFolder, "download");
  const failure = fetchPinnedPackage(pinned, download);
  const binary = join(download, "node_modules", nameOf(pinned), "bin", basename(node));
  const works = failure === null && spawnSync(binary, ["--version"]).status === 0;
  if (works) {
    mkdirSync(dirname(node), { recursive: true });
    renameSync(binary, node);
  }
  rmSync(download, { recursive: true, force: true });
  if (!works) {
    fail(
      `${failure ?? `Could not run ${pinned.spec}.`}\n` +
        `Or install Node ${NODE_RANGE} yourself, then run the command again.`,
    );
  }
}

/** @param {string} node @param {string} wanted */
function installDependencies(node, wanted) {
  process.stderr.write("Installing the dependencies of package-lock.json (about 40 MB, once) ...\n");
  rmSync(installedStamp, { force: true });
  // Its output goes to stderr: stdout is the script's own.
  const { status } = spawnNpm(
    ["ci", "--loglevel=error"],
    { cwd: root, env: environment(node), stdio: ["ignore", 2, 2] },
    node,
  );
  if (status !== 0) {
    fail("Could not install the dependencies. To see why, run: npm ci");
  }
  writeFileSync(installedStamp, wanted);
}

/** Runs the work while holding a lock file that names this process; a lock left by a dead process is void. */
function exclusively(/** @type {() => void} */ work) {
  mkdirSync(nodeFolder, { recursive: true });
  for (let waits = 0; !takeLock(); waits++) {
    if (waits === 0) {
      process.stderr.write(`Another setup is running; waiting. If none is, delete ${lockFile}\n`);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
  const release = () => rmSync(lockFile, { force: true });
  process.once("exit", release);
  work();
  process.off("exit", release);
  release();
}

/** @returns {boolean} */
function takeLock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  try {
    const holder = readFileSync(lockFile, "utf8");
    // Empty: its holder has made the file and is about to write its id.
    if (holder !== "") process.kill(Number(holder), 0);
  } catch (error) {
    if (errorCode(error) === "ESRCH") {
      rmSync(lockFile, { force: true });
      return takeLock();
    }
  }
  return false;
}

/** @param {unknown} error */
function errorCode(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code;
}

/** Runs the script in the foreground: same standard streams, same exit code, same signals. */
function handOver(/** @type {string} */ node, /** @type {string[]} */ args) {
  const isNetwork = script === "scripts/start.ts";
  const bound = isNetwork ? NODE_OPTIONS : [];
  const options = ["--disable-warning=ExperimentalWarning", `--import=${resolver}`, ...bound];
  const child = spawn(node, [...options, ...args], {
    stdio: "inherit",
    env: { ...(isNetwork ? MEMORY_SETTINGS : {}), ...environment(node) },
  });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    // A terminal sends Ctrl-C to the child as well; twice would mean "at once" to it.
    const sentByTerminal = signal === "SIGINT" && process.stdin.isTTY;
    process.on(signal, () => sentByTerminal || child.kill(signal));
  }
  // npm runs scripts in a shell, and hands SIGTERM to that shell alone; dash ends without handing it on.
  if (process.env["npm_lifecycle_event"] !== undefined) {
    const { ppid: shell } = process;
    const watch = setInterval(() => {
      if (process.ppid === shell) return;
      clearInterval(watch);
      child.kill("SIGTERM");
    }, 250);
    watch.unref();
  }
  child.on("error", (error) => fail(`Could not start ${node}: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

const [script, ...args] = process.argv.slice(2);
if (script === undefined) fail("Usage: node scripts/setup.js <script> [arguments]");

const node = nodeBinary();
const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");
const nodeMissing = () => node !== process.execPath && !existsSync(node);
const dependenciesMissing = () =>
  !existsSync(installedStamp) || readFileSync(installedStamp, "utf8") !== wanted;

if (nodeMissing() || dependenciesMissing()) {
  exclusively(() => {
    if (nodeMissing() && pinnedNode !== undefined) installNode(node, pinnedNode);
    if (dependenciesMissing()) installDependencies(node, wanted);
  });
}
if (!existsSync(join(root, script))) fail(`There is no ${script} in this checkout.`);
handOver(node, [join(root, script), ...args]);
