/** A simulated network whose scan is served over HTTP, on a free port, until the test is over. */

import type { InstanceNames } from "@callsign/api";
import { type Clock, systemHost } from "@callsign/node";
import { beforeAll, onTestFinished } from "vitest";
import type { FoundingOptions } from "../../packages/ledger/testing/simulated-network.ts";
import { Misbehaviour } from "../../packages/localnet/src/misbehaviour.ts";
import type { HealthParts } from "../../packages/node/src/http/health.ts";
import type { HttpServer } from "../../packages/node/src/http/http-server.ts";
import { type AtEnd, atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { mountScan } from "../../packages/scan/src/mount-scan.ts";
import { ownSource } from "../../packages/scan/src/rows/scan-source.ts";
import { serveMount } from "../support/serve-mount.ts";
import { ScannedWorld } from "./name-world.ts";
import type { ScanReplicaOptions } from "./scan-replica.ts";

export interface ServedWorldOptions extends FoundingOptions, ScanReplicaOptions {
  /** True if the node has read nothing of the log when the world starts. */
  readonly behindAll?: boolean;
  readonly maxWaitMilliseconds?: number;
  readonly missing?: HealthParts["missing"];
  readonly instanceNames?: InstanceNames;
  /** The clock of scan's process; the system's by default. */
  readonly clock?: Clock;
}

/** An answer, read to its end. */
export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The node follows the log only when the test says so: `scan()`. */
export class ServedWorld extends ScannedWorld {
  readonly misbehaviour: Misbehaviour = new Misbehaviour(this.node.index, systemHost.timers);
  #server: HttpServer | null = null;

  static async start(options: ServedWorldOptions = {}, atEnd: AtEnd = onTestFinished): Promise<ServedWorld> {
    const world = new ServedWorld(options, atEnd);
    await world.#serve(options, atEnd);
    if (options.behindAll !== true) await world.scan();
    return world;
  }

  get url(): string {
    return this.#server?.url ?? "";
  }

  get port(): number {
    return this.#server?.port ?? 0;
  }

  async get(path: string, init: RequestInit = {}): Promise<Seen> {
    const response = await fetch(this.url + path, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async getJson(
    path: string,
    init: RequestInit = {},
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const { status, text } = await this.get(path, init);
    return { status, body: JSON.parse(text) };
  }

  async post(path: string, body: string | null, contentType = "application/json"): Promise<Seen> {
    const headers = body === null ? undefined : { "content-type": contentType };
    return this.get(path, { method: "POST", body, ...(headers === undefined ? {} : { headers }) });
  }

  async postJson(path: string, body: unknown): Promise<{ readonly status: number; readonly body: unknown }> {
    const { status, text } = await this.post(path, JSON.stringify(body));
    return { status, body: JSON.parse(text) };
  }

  async #serve(
    {
      missing = () => null,
      maxWaitMilliseconds,
      instanceNames,
      clock = systemHost.clock,
    }: ServedWorldOptions,
    atEnd: AtEnd,
  ): Promise<void> {
    const { index, replica } = this.node;
    const [sv] = this.network.svs;
    const mount = mountScan({
      source: ownSource(index, replica),
      sv: { user: "sv", party: sv?.party ?? this.network.dso },
      instanceNames,
      timers: systemHost.timers,
      health: { id: "scan sv-1", missing, port: () => this.port, clock },
      interceptor: this.misbehaviour,
      ...(maxWaitMilliseconds === undefined ? {} : { maxWaitMilliseconds }),
    });
    this.#server = await serveMount(mount, atEnd);
  }
}

/** A founded network for a whole file: its tests only read it. Call it at the top of the file. */
export function worldOfFile(prepare: (world: ServedWorld) => void = () => undefined): () => ServedWorld {
  const atEnd = atEndOfFile();
  let started: ServedWorld | null = null;
  beforeAll(async () => {
    started = await ServedWorld.start({}, atEnd);
    prepare(started);
    await started.scan();
  });
  return () => {
    if (started === null) throw new Error("the world starts before the first test");
    return started;
  };
}

/** The entry of a lookup's answer. */
export function entryOf(body: unknown): Record<string, unknown> {
  return (body as { entry: Record<string, unknown> }).entry;
}
