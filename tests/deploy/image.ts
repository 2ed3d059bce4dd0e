/** The image of deploy/docker/Dockerfile as a folder: its files are copied and installed by the Dockerfile's own instructions. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

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

/** Copies and installs what the first stage says into `folder`. */
export function buildImage(folder: string): Image {
  const [packages = [], final = []] = readDockerfile();
  for (const { name, text } of packages) {
    if (name === "COPY") copy(text.split(/\s+/), folder);
    if (name !== "RUN") continue;
    const run = spawnSync("sh", ["-c", text], { cwd: folder, encoding: "utf8" });
    if (run.status !== 0) throw new Error(`${text}: ${run.stderr}`);
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

function copy(words: readonly string[], folder: string): void {
  const target = join(folder, words.at(-1) ?? "");
  mkdirSync(target, { recursive: true });
  const sources = words.slice(0, -1);
  for (const source of sources) {
    // A folder's content is copied, a file keeps its name.
    const isFolder = statSync(join(root, source)).isDirectory();
    cpSync(join(root, source), isFolder ? target : join(target, source), {
      recursive: true,
      filter: (path) =>
        !path.includes("/node_modules") &&
        !path.endsWith(".test.ts") &&
        !/packages\/[^/]+\/testing/.test(path),
    });
  }
}
