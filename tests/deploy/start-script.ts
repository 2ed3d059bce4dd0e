/** deploy/compose/start.sh, run with a `docker` that writes down what it was called with. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ComposeProject, readComposeProject } from "./compose-project.ts";

export const COMPOSE = join(import.meta.dirname, "../../deploy/compose");

export interface ScriptRun {
  readonly status: number | null;
  readonly stderr: string;
  readonly stdout: string;
  /** The arguments of docker's last call; null if it was not called. */
  readonly docker: readonly string[] | null;
  /** The arguments of each call before it. */
  readonly before: readonly (readonly string[])[];
  /** The environment of docker's last call. */
  readonly environment: Readonly<Record<string, string>>;
}

export function runScript(
  folder: string,
  script: "start.sh" | "stop.sh",
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ScriptRun {
  const bin = join(folder, "bin");
  const [calls, variables] = [join(folder, "calls"), join(folder, "variables")];
  mkdirSync(bin, { recursive: true });
  for (const file of [calls, variables]) writeFileSync(file, "");
  writeFileSync(
    join(bin, "docker"),
    `#!/bin/sh\nprintf '%s\\n' "$@" "" >> ${calls}\nenv -0 > ${variables}\n`,
  );
  chmodSync(join(bin, "docker"), 0o755);
  const run = spawnSync("bash", [join(COMPOSE, script), ...args], {
    encoding: "utf8",
    cwd: folder,
    env: { PATH: `${bin}:${process.env["PATH"]}`, ...environment },
  });
  const called = readFileSync(calls, "utf8").split("\n\n").filter(Boolean);
  const pairs = readFileSync(variables, "utf8").split("\0").filter(Boolean);
  return {
    status: run.status,
    stderr: run.stderr,
    stdout: run.stdout,
    docker: called.at(-1)?.split("\n") ?? null,
    before: called.slice(0, -1).map((call) => call.split("\n")),
    environment: Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
    ),
  };
}

/** The files that docker was given by `-f`. */
export function filesOf({ docker }: ScriptRun): readonly string[] {
  return (docker ?? []).filter((_, i) => docker?.[i - 1] === "-f");
}

/** The project that docker would start. */
export function projectOf(run: ScriptRun): ComposeProject {
  if (run.docker === null) throw new Error(`start.sh has not called docker: ${run.stderr}`);
  return readComposeProject(COMPOSE, filesOf(run), run.environment);
}
