/**
 * The connections of one port. Where there are too many, an idle one makes room for the next: the one that has been idle for
 * longest of those from the address that has most. So no address can shut out others with connections it does not use.
 */
import type { Socket } from "node:net";

export class PortConnections {
  readonly #max: number;
  /** In the order in which they became idle. */
  readonly #idle = new Map<Socket, string>();
  readonly #byAddress = new Map<string, number>();
  /** Requests that are being answered. A caller may send the next before the answer. */
  readonly #requests = new Map<Socket, number>();
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Takes a new connection in; closes it if every other one is in use. */
  add(socket: Socket): void {
    if (this.#count >= this.#max && !this.#makeRoom()) {
      socket.destroy();
      return;
    }
    const address = socket.remoteAddress ?? "";
    this.#count++;
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1);
    this.#idle.set(socket, address);
    socket.once("close", () => this.#remove(socket, address));
  }

  /** A request has come. */
  use(socket: Socket): void {
    this.#idle.delete(socket);
    this.#requests.set(socket, (this.#requests.get(socket) ?? 0) + 1);
  }

  /** The request has been answered. */
  rest(socket: Socket): void {
    const left = (this.#requests.get(socket) ?? 1) - 1;
    if (left > 0) this.#requests.set(socket, left);
    else this.#requests.delete(socket);
    if (left === 0 && !socket.destroyed) this.#idle.set(socket, socket.remoteAddress ?? "");
  }

  #remove(socket: Socket, address: string): void {
    this.#count--;
    this.#idle.delete(socket);
    this.#requests.delete(socket);
    const left = (this.#byAddress.get(address) ?? 1) - 1;
    if (left === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, left);
  }

  #makeRoom(): boolean {
    let chosen: Socket | undefined;
    let most = 0;
    for (const [socket, address] of this.#idle) {
      const connections = this.#byAddress.get(address) ?? 0;
      if (connections <= most) continue;
      most = connections;
      chosen = socket;
    }
    if (chosen === undefined) return false;
    this.#idle.delete(chosen);
    chosen.destroy();
    return true;
  }
}
