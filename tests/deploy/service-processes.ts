/**
 * Services of a compose project as processes: the image's entry point, the project's commands and variables, a machine for each
 * service with the services' names in its hosts file, folders in the place of volumes.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { type Machine, spawnOn } from "../support/machines.ts";
import type { ComposeProject } from "./compose-project.ts";
import type { Image } from "./image.ts";

export interface ServiceProcess {
  readonly output: () => string;
  readonly hasEnded: () => boolean;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

export class ServiceProcesses {
  readonly #image: Image;
  readonly #machines: Readonly<Record<string, Machine>>;
  readonly #folder: string;
  readonly #atEnd: AtEnd;

  /** `hosts` are the names of services that run elsewhere. */
  constructor(
    image: Image,
    machines: Readonly<Record<string, Machine>>,
    { folder, hosts }: { readonly folder: string; readonly hosts: Readonly<Record<string, string>> },
    atEnd: AtEnd,
  ) {
    this.#image = image;
    this.#machines = machines;
    this.#folder = folder;
    this.#atEnd = atEnd;
    const names = Object.entries(machines).map(([name, { address }]) => [name, address]);
    const all = { localhost: "127.0.0.1", ...hosts, ...Object.fromEntries(names) };
    for (const machine of Object.values(machines)) nameHosts(machine, all, atEnd);
  }

  /** Runs the service's own command, or another one in its place, as `docker compose run` does. */
  start(project: ComposeProject, name: string, command?: readonly string[]): ServiceProcess {
    const [service, machine] = [project.services[name], this.#machines[name]];
    if (service === undefined || machine === undefined) throw new Error(`there is no service ${name}`);
    const mounts = (service.volumes ?? []).map((volume) => {
      const [source = "", target = ""] = volume.split(":");
      return { source: source.startsWith("/") ? source : this.#volume(source), target };
    });
    const inMounts = (text: string) =>
      mounts.reduce(
        (path, { source, target }) => (path.startsWith(target) ? path.replace(target, source) : path),
        text,
      );
    const words = [...this.#image.entrypoint.slice(1), ...(command ?? service.command ?? [])].map(inMounts);
    const variables = Object.entries({ ...this.#image.environment, ...service.environment });
    const env = Object.fromEntries(variables.map(([key, value]) => [key, inMounts(value)]));
    const child = spawnOn(machine, [process.execPath, ...words], {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: this.#image.folder,
      env: { PATH: process.env["PATH"], ...env },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        output = (output + chunk).slice(-20_000);
      });
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
    const stop = (signal: NodeJS.Signals = "SIGTERM") => {
      if (!hasEnded()) child.kill(signal);
      return ended;
    };
    this.#atEnd(async () => void (await stop("SIGKILL")));
    return { output: () => output, hasEnded, ended, stop };
  }

  /** Loses the content of a named volume. */
  removeVolume(name: string): void {
    rmSync(this.#volume(name), { recursive: true, force: true });
  }

  #volume(name: string): string {
    const folder = join(this.#folder, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }
}

/** `ip netns exec` puts the files of /etc/netns/<namespace> in the place of those in /etc. */
function nameHosts(machine: Machine, hosts: Readonly<Record<string, string>>, atEnd: AtEnd): void {
  const folder = join("/etc/netns", machine.on("true")[3] ?? "");
  mkdirSync(folder, { recursive: true });
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const lines = Object.entries(hosts).map(([name, address]) => `${address} ${name}\n`);
  writeFileSync(join(folder, "hosts"), lines.join(""));
}
