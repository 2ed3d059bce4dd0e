/** Organisations that found a network by draft: each has a folder and a configuration of its own. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { type CommandOutcome, runWith } from "./run-here.ts";
import type { Values } from "./setup-kit.ts";

export interface Organisation {
  readonly name: string;
  readonly values: Values;
  readonly dataFolder: string;
  /** The card that it hands out, and the signature that it gives. */
  readonly card: string;
  readonly signature: string;
  readonly run: (words: readonly string[], change?: Values) => Promise<CommandOutcome>;
}

export interface OrganisationOptions {
  readonly folder: string;
  readonly names?: readonly string[];
  readonly change?: Values;
}

export function organisation(
  name: string,
  { folder, names = [name], change }: OrganisationOptions,
): Organisation {
  const dataFolder = join(folder, name);
  const values = {
    svs: names.map((sv) => ({ name: sv, ports: { scan: 0, sequencer: 0, app: 0 } })),
    disableAuth: true,
    network: { isDevNet: true },
    callsign: { dataFolder, healthPort: 0, metricsPort: 0, log: { level: "ERROR" } },
    ...change,
  };
  return {
    ...{ name, values, dataFolder },
    card: join(folder, `${name}-card.json`),
    signature: join(folder, `${name}-signature.json`),
    run: (words, more = {}) => runWith(words, { files: [values, more] }),
  };
}

export async function writeCard({ run, card }: Organisation): Promise<void> {
  writeFileSync(card, succeeded(await run(["identity", "show", "--json"])));
}

/** Organisations `org-1`, `org-2`, … with their cards. */
export async function organisations(count: number, change?: Values): Promise<readonly Organisation[]> {
  const folder = temporaryFolder();
  const all = Array.from({ length: count }, (_, i) =>
    organisation(`org-${i + 1}`, { folder, ...(change === undefined ? {} : { change }) }),
  );
  for (const each of all) await writeCard(each);
  return all;
}

/** The first one drafts. Returns the draft's path. */
export async function draft(all: readonly Organisation[], name = "draft.json"): Promise<string> {
  const [first] = all as [Organisation];
  const path = join(first.dataFolder, name);
  succeeded(await first.run(["network", "draft", ...all.map(({ card }) => card), "--to", path]));
  return path;
}

export async function sign({ run, signature }: Organisation, path: string): Promise<string> {
  succeeded(await run(["network", "sign", path, "--to", signature]));
  return signature;
}

export async function signAll(all: readonly Organisation[], path: string): Promise<readonly string[]> {
  return Promise.all(all.map((each) => sign(each, path)));
}

/** The command's output. Throws if it failed. */
export function succeeded({ exitCode, said, complained }: CommandOutcome): string {
  if (exitCode === 0) return said;
  throw new Error(`exit code ${exitCode}: ${complained}`);
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
