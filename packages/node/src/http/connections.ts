/**
 * The connections of one port. Where there are too many, an idle one makes room for the next: the one that has been idle for
 * longest of those from the address that has most. So no address can shut out others with connections it does not use.
 */
import type { Socket } from "node:net";
import { callerAddressOf } from "./caller-address.ts";

export interface Connection {
  /** The one that carries TLS, if there is TLS. */
  readonly socket: Socket;
  readonly peer: string;
  readonly address: string;
  /** Requests that are being answered. A caller may send the next before the answer. */
  requests: number;
  /** A number that is higher, the later it became idle. */
  idleSince: number;
}

export class PortConnections {
  readonly #max: number;
  readonly #byPeer = new Map<string, Connection>();
  /** Every request looks its connection up: by the socket that it came on, which TLS lays above the other. */
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #byAddress = new Map<string, number>();
  #rests = 0;

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
    const connection = {
      socket,
      peer,
      address: callerAddressOf(socket),
      requests: 0,
      idleSince: ++this.#rests,
    };
    const { address } = connection;
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1);
    this.#byPeer.set(peer, connection);
    this.#bySocket.set(socket, connection);
    socket.once("close", () => this.#remove(connection));
    return true;
  }

  /** A request has come: its connection is in use until `rest`. Undefined if the connection has gone. */
  use(socket: Socket): Connection | undefined {
    const connection = this.#bySocket.get(socket) ?? this.#findBelow(socket);
    if (connection === undefined) return undefined;
    connection.requests++;
    return connection;
  }

  /** A request has been answered. */
  rest(connection: Connection): void {
    connection.requests--;
    connection.idleSince = ++this.#rests;
  }

  #findBelow(socket: Socket): Connection | undefined {
    const peer = peerOf(socket);
    const connection = peer === null ? undefined : this.#byPeer.get(peer);
    if (connection !== undefined) this.#bySocket.set(socket, connection);
    return connection;
  }

  #remove(connection: Connection): void {
    const { peer, address } = connection;
    // A peer may come back from the same port before.
    if (this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer);
    const left = (this.#byAddress.get(address) ?? 1) - 1;
    if (left === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, left);
  }

  #makeRoom(): boolean {
    let chosen: Connection | undefined;
    let most = 0;
    for (const connection of this.#byPeer.values()) {
      if (connection.requests > 0 || connection.socket.destroyed) continue;
      const connections = this.#byAddress.get(connection.address) ?? 0;
      if (connections < most) continue;
      if (connections === most && chosen !== undefined && connection.idleSince > chosen.idleSince) continue;
      most = connections;
      chosen = connection;
    }
    chosen?.socket.destroy();
    return chosen !== undefined;
  }
}

/** TLS has a socket of its own above the one that carries it: both have this peer. Null if the peer has gone. */
function peerOf({ remoteAddress, remotePort }: Socket): string | null {
  return remoteAddress === undefined ? null : `${remoteAddress} ${remotePort}`;
}
