/** The image of deploy/docker/Dockerfile as a folder: its files are copied and installed by the Dockerfile's own instructions. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** As Dockerfile.dockerignore has it. */
const IGNORED = /\/node_modules|\.test\.ts$|packages\/[^/]+\/testing|packages\/web\/dist/;

export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of each stage, in their order; lines that go on are joined. */
export function readDockerfile(): readonly (readonly Instruction[])[] {
  const text = readFileSync(join(root, "deploy/docker/Dockerfile"), "utf8").replaceAll("\\\n", " ");
  const stages: Instruction[][] = [];
  for (const line of text.split("\n").filter((each) => each.trim() !== "" && !each.startsWith("#"))) {
    const [, name = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (name === "FROM") stages.push([]);
    stages.at(-1)?.push({ name, text: rest.trim() });
  }
  return stages;
}

export interface Image {
  /** Stands for the image's /app. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
}

/** Follows the instructions of the stages before the last one in folders below `work`. */
export function buildImage(work: string): Image {
  const stages = readDockerfile();
  const final = stages.at(-1) ?? [];
  const built = new Map<string, string>();
  let folder = work;
  for (const stage of stages.slice(0, -1)) {
    const [, name = ""] = / AS (\w+)$/.exec(stage[0]?.text ?? "") ?? [];
    folder = join(work, name);
    built.set(name, folder);
    mkdirSync(folder, { recursive: true });
    for (const instruction of stage) follow(instruction, folder, built);
  }
  const entrypoint = final.find(({ name }) => name === "ENTRYPOINT")?.text ?? "[]";
  return {
    folder,
    environment: Object.fromEntries(
      final.filter(({ name }) => name === "ENV").map(({ text }) => text.split("=") as [string, string]),
    ),
    entrypoint: (JSON.parse(entrypoint) as readonly string[]).map((word) =>
      word.replace(/^\/app\//, `${folder}/`),
    ),
  };
}

/** `built` has the folders of earlier stages by their names. */
function follow({ name, text }: Instruction, folder: string, built: ReadonlyMap<string, string>): void {
  if (name === "COPY") copy(text.split(/\s+/), folder, built);
  if (name !== "RUN") return;
  const run = spawnSync("sh", ["-c", text], { cwd: folder, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`${text}: ${run.stderr}`);
}

function copy(words: readonly string[], folder: string, built: ReadonlyMap<string, string>): void {
  const [, stage] = /^--from=(\w+)$/.exec(words[0] ?? "") ?? [];
  const target = join(folder, words.at(-1) ?? "");
  mkdirSync(target, { recursive: true });
  for (const source of words.slice(stage === undefined ? 0 : 1, -1)) {
    const from =
      stage === undefined ? join(root, source) : join(built.get(stage) ?? "", source.replace(/^\/app/, ""));
    // A folder's content is copied, a file keeps its name.
    const isFolder = statSync(from).isDirectory();
    cpSync(from, isFolder ? target : join(target, source), {
      recursive: true,
      filter: (path) => stage !== undefined || !IGNORED.test(path),
    });
  }
}
