/**
 * The connections of one port. Where there are too many, an idle one makes room for the next: the one that has been idle for
 * longest of those from the address that has most. So no address can shut out others with connections it does not use.
 */
import type { Socket } from "node:net";
import { callerAddressOf } from "./caller-address.ts";

interface Connection {
  /** The one that carries TLS, if there is TLS. */
  readonly socket: Socket;
  readonly peer: string;
  readonly address: string;
  /** Requests that are being answered. A caller may send the next before the answer. */
  requests: number;
}

export class PortConnections {
  readonly #max: number;
  /** In the order in which they became idle. */
  readonly #idle = new Set<Connection>();
  readonly #byPeer = new Map<string, Connection>();
  /** Every request looks its connection up: by the socket that it came on, which TLS lays above the other. */
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #byAddress = new Map<string, number>();

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
    const connection = { socket, peer, address: callerAddressOf(socket), requests: 0 };
    const { address } = connection;
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1);
    this.#byPeer.set(peer, connection);
    this.#bySocket.set(socket, connection);
    this.#idle.add(connection);
    socket.once("close", () => this.#remove(connection));
    return true;
  }

  /** A request has come. Returns a function for its end. */
  use(socket: Socket): () => void {
    const connection = this.#bySocket.get(socket) ?? this.#findBelow(socket);
    if (connection === undefined) return () => undefined;
    this.#idle.delete(connection);
    connection.requests++;
    return () => this.#rest(connection);
  }

  #findBelow(socket: Socket): Connection | undefined {
    const peer = peerOf(socket);
    const connection = peer === null ? undefined : this.#byPeer.get(peer);
    if (connection !== undefined) this.#bySocket.set(socket, connection);
    return connection;
  }

  #rest(connection: Connection): void {
    connection.requests--;
    if (connection.requests === 0 && !connection.socket.destroyed) this.#idle.add(connection);
  }

  #remove(connection: Connection): void {
    const { peer, address } = connection;
    this.#idle.delete(connection);
    // A peer may come back from the same port before.
    if (this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer);
    const left = (this.#byAddress.get(address) ?? 1) - 1;
    if (left === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, left);
  }

  #makeRoom(): boolean {
    let chosen: Connection | undefined;
    let most = 0;
    for (const connection of this.#idle) {
      const connections = this.#byAddress.get(connection.address) ?? 0;
      if (connections <= most) continue;
      most = connections;
      chosen = connection;
    }
    if (chosen === undefined) return false;
    chosen.socket.destroy();
    this.#idle.delete(chosen);
    return true;
  }
}

/** TLS has a socket of its own above the one that carries it: both have this peer. Null if the peer has gone. */
function peerOf({ remoteAddress, remotePort }: Socket): string | null {
  return remoteAddress === undefined ? null : `${remoteAddress} ${remotePort}`;
}
