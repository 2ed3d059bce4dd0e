/**
 * Debian packages that some tests need. On a machine with apt-get and root they are installed once, quietly, when the first
 * test asks for them; elsewhere the test is skipped with the reason. Services that a package brings are not started.
 */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";

const INSTALL_MILLISECONDS = 300_000;
/** Debian asks this script before it starts a service; 101 says no. */
const POLICY = "/usr/sbin/policy-rc.d";
const LOCK_SECONDS = 120;

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

async function isInstalled(name: string): Promise<boolean> {
  const { isDone, output } = await run("dpkg", ["--status", name]);
  return isDone && output.includes("Status: install ok installed");
}

async function run(
  command: string,
  args: readonly string[],
): Promise<{ readonly isDone: boolean; readonly output: string }> {
  const child = spawn(command, args, {
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
