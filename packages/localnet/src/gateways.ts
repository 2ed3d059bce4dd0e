/** The gateways of the nodes. They forward to addresses alone, and stay open while a snapshot is restored. */
import type { WebLogin } from "@callsign/api";
import type { WebApplication } from "@callsign/node";
import type { Gateway } from "./gateway.ts";
import type { NodeName } from "./ports.ts";

export class Gateways {
  readonly application: WebApplication;
  /** The ending of the network's names, as its founding has it. */
  acronym = "";
  /** The developers' port starts after the nodes. */
  developmentUrl = "";
  /** How the pages of a node's host name log in. */
  loginOf: (node: NodeName, hostName: string) => WebLogin | null = () => null;
  readonly #opened = new Map<NodeName, Gateway>();

  constructor(application: WebApplication) {
    this.application = application;
  }

  /** Starts the gateway of a node unless it is there. */
  async open(name: NodeName, start: () => Promise<Gateway>): Promise<Gateway> {
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    const opened = await start();
    this.#opened.set(name, opened);
    return opened;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened.values()].map((gateway) => gateway.close()));
  }
}
