/**
 * Debian packages that some tests need. On a machine with apt-get and root they are installed once, quietly, when the first
 * test asks for them; elsewhere the test is skipped with the reason. Services that a package brings are not started. A package
 * that the machine's own release has only in an old version is unpacked from a newer release, without being installed.
 */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const INSTALL_MILLISECONDS = 300_000;
/** Debian asks this script before it starts a service; 101 says no. */
const POLICY = "/usr/sbin/policy-rc.d";
const LOCK_SECONDS = 120;
/** The releases that come after the stable one. */
const NEWER_RELEASES = ["testing", "unstable"];
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";

/** Null if the package is there now, or the reason why it is not. */
export async function installDebianPackage(name: string): Promise<string | null> {
  if (await isInstalled(name)) return null;
  if (process.getuid?.() !== 0) return `${name} is missing. Try as root: apt-get install ${name}`;
  if (!existsSync("/usr/bin/apt-get")) return `${name} is missing, and this machine has no apt-get`;
  process.stderr.write(`Installing ${name} for tests ...\n`);
  const hasPolicy = existsSync(POLICY);
  if (!hasPolicy) {
    writeFileSync(POLICY, "#!/bin/sh\nexit 101\n");
    chmodSync(POLICY, 0o755);
  }
  try {
    const options = ["-q", "-o", `DPkg::Lock::Timeout=${LOCK_SECONDS}`, "-o", "Dpkg::Use-Pty=0"];
    const install = ["install", "-y", "--no-install-recommends", ...options, name];
    if ((await run("apt-get", install)).isDone) return null;
    // The lists of packages may be missing or old.
    await run("apt-get", ["update", ...options]);
    const { isDone, output } = await run("apt-get", install);
    return isDone ? null : `${name} could not be installed: ${output.trim().split("\n").at(-1) ?? ""}`;
  } finally {
    if (!hasPolicy) rmSync(POLICY, { force: true });
  }
}

/**
 * Unpacks a package of a newer Debian into a folder, from the server that apt uses here and checked by Debian's signature. Null
 * if it is there now, or the reason why it is not. Needs no root.
 */
export async function unpackDebianPackage(name: string, folder: string): Promise<string | null> {
  if (!existsSync("/usr/bin/apt-get")) return `${name} is missing, and this machine has no apt-get`;
  if (!existsSync(KEYRING)) return `${name} is missing, and this machine has no keys of Debian in ${KEYRING}`;
  const targets = await run("apt-get", ["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]);
  const server = targets.output.split("\n").find((line) => /^https?:/.test(line));
  if (server === undefined) return `${name} is missing, and apt has no server for packages here`;
  process.stderr.write(`Fetching ${name} for tests ...\n`);
  const work = `${folder}-${process.pid}`;
  let reason = "";
  for (const release of NEWER_RELEASES) {
    try {
      const { isDone, output } = await unpackFrom({ server, release, name, work });
      if (isDone) {
        rmSync(folder, { recursive: true, force: true });
        renameSync(join(work, "unpacked"), folder);
        return null;
      }
      reason = output.trim().split("\n").at(-1) ?? "";
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  return `${name} of a newer Debian could not be fetched: ${reason}`;
}

interface NewerPackage {
  readonly server: string;
  readonly release: string;
  readonly name: string;
  readonly work: string;
}

/** The machine's own lists and settings of apt stay as they are. */
async function unpackFrom({ server, release, name, work }: NewerPackage): Promise<Ran> {
  for (const part of ["lists/partial", "cache/archives/partial", "unpacked"]) {
    mkdirSync(join(work, part), { recursive: true });
  }
  const sources = join(work, "sources.list");
  writeFileSync(sources, `deb [signed-by=${KEYRING}] ${server} ${release} main\n`);
  const settings = {
    "Dir::Etc::SourceList": sources,
    "Dir::Etc::SourceParts": "/dev/null",
    "Dir::State::Lists": join(work, "lists"),
    "Dir::Cache": join(work, "cache"),
    "Acquire::Languages": "none",
    // Only then can it write into a folder of the user that runs this.
    ...(process.getuid?.() === 0 ? { "APT::Sandbox::User": "root" } : {}),
  };
  const options = ["-q", ...Object.entries(settings).flatMap(([key, value]) => ["-o", `${key}=${value}`])];
  const updated = await run("apt-get", ["update", ...options]);
  if (!updated.isDone) return updated;
  const download = await run("apt-get", ["download", name, ...options], work);
  const file = readdirSync(work).find((entry) => entry.endsWith(".deb"));
  if (!download.isDone || file === undefined) return { ...download, isDone: false };
  return run("dpkg-deb", ["-x", join(work, file), join(work, "unpacked")]);
}

async function isInstalled(name: string): Promise<boolean> {
  const { isDone, output } = await run("dpkg", ["--status", name]);
  return isDone && output.includes("Status: install ok installed");
}

interface Ran {
  readonly isDone: boolean;
  readonly output: string;
}

async function run(command: string, args: readonly string[], cwd?: string): Promise<Ran> {
  const child = spawn(command, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: INSTALL_MILLISECONDS,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output = (output + chunk).slice(-10_000);
    });
  }
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ isDone: false, output: error.message }));
    child.once("close", (code) => resolve({ isDone: code === 0, output }));
  });
}
