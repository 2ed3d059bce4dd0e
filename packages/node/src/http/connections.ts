/**
 * The connections of one port. Where there are too many, an idle one makes room for the next: the one that has been idle for
 * longest of those from the address that has most. So no address can shut out others with connections it does not use.
 */
import type { Socket } from "node:net";
import { callerAddressOf } from "./caller-address.ts";

interface Connection {
  /** The one that carries TLS, if there is TLS. */
  readonly socket: Socket;
  readonly address: string;
}

export class PortConnections {
  readonly #max: number;
  /** By peer, in the order in which they became idle. */
  readonly #idle = new Map<string, Connection>();
  readonly #byPeer = new Map<string, Connection>();
  readonly #byAddress = new Map<string, number>();
  /** Requests that are being answered. A caller may send the next before the answer. */
  readonly #requests = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Takes a new connection in; false if it was closed, because every other one is in use. */
  add(socket: Socket): boolean {
    const peer = peerOf(socket);
    if (peer === null || (this.#byPeer.size >= this.#max && !this.#makeRoom())) {
      socket.destroy();
      return peer === null;
    }
    const connection = { socket, address: callerAddressOf(socket) };
    const { address } = connection;
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1);
    this.#byPeer.set(peer, connection);
    this.#idle.set(peer, connection);
    socket.once("close", () => this.#remove(peer, connection));
    return true;
  }

  /** A request has come. Returns a function for its end. */
  use(socket: Socket): () => void {
    const peer = peerOf(socket);
    if (peer === null) return () => undefined;
    this.#idle.delete(peer);
    this.#requests.set(peer, (this.#requests.get(peer) ?? 0) + 1);
    return () => this.#rest(peer);
  }

  #rest(peer: string): void {
    const left = (this.#requests.get(peer) ?? 1) - 1;
    if (left > 0) this.#requests.set(peer, left);
    else this.#requests.delete(peer);
    const connection = this.#byPeer.get(peer);
    if (left === 0 && connection !== undefined && !connection.socket.destroyed)
      this.#idle.set(peer, connection);
  }

  #remove(peer: string, connection: Connection): void {
    // A peer may come back from the same port before.
    if (this.#byPeer.get(peer) === connection) {
      this.#byPeer.delete(peer);
      this.#idle.delete(peer);
      this.#requests.delete(peer);
    }
    const { address } = connection;
    const left = (this.#byAddress.get(address) ?? 1) - 1;
    if (left === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, left);
  }

  #makeRoom(): boolean {
    let chosen: string | undefined;
    let most = 0;
    for (const [peer, { address }] of this.#idle) {
      const connections = this.#byAddress.get(address) ?? 0;
      if (connections <= most) continue;
      most = connections;
      chosen = peer;
    }
    if (chosen === undefined) return false;
    this.#idle.get(chosen)?.socket.destroy();
    this.#idle.delete(chosen);
    return true;
  }
}

/** TLS has a socket of its own above the one that carries it: both have this peer. Null if the peer has gone. */
function peerOf({ remoteAddress, remotePort }: Socket): string | null {
  return remoteAddress === undefined ? null : `${remoteAddress} ${remotePort}`;
}
