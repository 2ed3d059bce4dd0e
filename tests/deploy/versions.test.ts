// Files of deploy/ that name a version name the repository's.

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { read } from "../repository/configuration-page.ts";
import { CHARTS, readChart } from "./charts.ts";
import { parseVariables } from "./compose-project.ts";
import { readDockerfile } from "./image.ts";

const { version } = JSON.parse(read("package.json")) as { readonly version: string };
const DEPLOY = join(import.meta.dirname, "../../deploy");

test("images, charts and documents carry the version of package.json", () => {
  expect(parseVariables(read("deploy/compose/.env"))["IMAGE_TAG"]).toBe(version);
  for (const chart of CHARTS) expect(readChart(chart)).toMatchObject({ version, appVersion: version });
  for (const page of ["docs/operating.md", "deploy/docker/Dockerfile"])
    expect(read(page)).toContain(`docker build -f deploy/docker/Dockerfile -t callsign:${version} .`);
});

test("the image runs as 1001:1001 on Node 24, and asks /livez whether it lives", () => {
  const stages = readDockerfile();
  const final = new Map(stages.at(-1)?.map(({ name, text }) => [name, text]));
  expect(stages.map(([from]) => from?.text.split(" ")[0])).toEqual([
    "node:24-bookworm-slim",
    "node:24-bookworm-slim",
    "node:24-bookworm-slim",
  ]);
  expect(final.get("USER")).toBe("1001:1001");
  expect(final.get("HEALTHCHECK")).toContain("http://127.0.0.1:5003/livez");
  expect(
    stages
      .flat()
      .filter(({ name, text }) => name === "RUN" && text.includes("npm"))
      .map(({ text }) => text),
  ).toEqual([
    "npm ci --workspace=@callsign/web --ignore-scripts --loglevel=error",
    "npm ci --omit=dev --ignore-scripts --loglevel=error",
  ]);
});

test("shell scripts parse", () => {
  const scripts = readdirSync(DEPLOY, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".sh"),
  );
  expect(scripts.length).toBe(5);
  for (const script of scripts) {
    const shell = /^#!.*\b(bash|sh)$/m.exec(readFileSync(join(DEPLOY, script), "utf8"))?.[1] ?? "";
    const { status, stderr } = spawnSync(shell, ["-n", join(DEPLOY, script)], { encoding: "utf8" });
    expect([script, status, stderr]).toEqual([script, 0, ""]);
  }
});
