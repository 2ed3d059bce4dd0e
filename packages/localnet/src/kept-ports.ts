/**
 * Ports that stay open while the servers behind them are replaced, and close with them otherwise. A connection that arrives between two servers waits, and
 * is given to the next one: its caller sees a slow answer, and no other program can take the port.
 */
import type { Server, ServerOptions } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Host, listen } from "@callsign/node";
import { MAX_WAITING_CONNECTIONS } from "./limits.ts";

export class KeptPorts {
  /** Its servers listen on kept ports. */
  readonly host: Host;
  readonly #createServer: Host["http"]["createServer"];
  readonly #ports = new Map<number, KeptPort>();
  #isReplacing = false;

  constructor(host: Host) {
    this.#createServer = host.http.createServer;
    const createServer = (options: ServerOptions) => this.#putBehind(host.http.createServer(options));
    this.host = { ...host, http: { ...host.http, createServer } };
  }

  /** From here on, ports outlive their servers. Before and afterwards, a server that closes takes its port along. */
  beginReplacing(): void {
    this.#isReplacing = true;
  }

  endReplacing(): void {
    this.#isReplacing = false;
    this.letIn();
  }

  /** Connections of these ports wait, although servers stand behind them, until `letIn`. */
  hold(ports: readonly number[]): void {
    for (const port of ports) this.#ports.get(port)?.hold();
  }

  letIn(): void {
    for (const port of this.#ports.values()) port.letIn();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#ports.values()].map((port) => port.close()));
    this.#ports.clear();
  }

  /** The server itself never listens: it is handed the connections of a kept port. */
  #putBehind(server: Server): Server {
    let port: KeptPort | null = null;
    const begin = async (number: number, address: string, done: () => void) => {
      port = await this.#open(number, address);
      // Node keeps a list of the connections that a server gets from here on.
      server.emit("listening");
      port.serve(server);
      done();
    };
    const close = server.close.bind(server);
    const replaced = {
      listen: (number: number, address: string, done: () => void) => {
        begin(number, address, done).catch((error: unknown) => server.emit("error", error));
        return server;
      },
      address: () => port?.address ?? null,
      close: (done?: () => void) => {
        if (port?.leave(server) === true && !this.#isReplacing) this.#drop(port);
        // Node calls back with an error, because this server did not listen itself.
        return close(() => done?.());
      },
    };
    return Object.assign(server, replaced);
  }

  #drop(port: KeptPort): void {
    this.#ports.delete(port.address.port);
    port.stopListening();
  }

  async #open(number: number, address: string): Promise<KeptPort> {
    const known = this.#ports.get(number);
    if (known !== undefined) return known;
    const listener = this.#createServer({});
    listener.removeAllListeners("connection");
    const { port } = await listen(listener, address, number);
    const opened = new KeptPort(listener);
    this.#ports.set(port, opened);
    return opened;
  }
}

class KeptPort {
  readonly address: AddressInfo;
  readonly #listener: Server;
  readonly #sockets = new Set<Socket>();
  /** Connections that no server has yet. */
  readonly #waiting = new Set<Socket>();
  #server: Server | null = null;
  #isHeld = false;

  constructor(listener: Server) {
    this.#listener = listener;
    this.address = listener.address() as AddressInfo;
    listener.on("connection", (socket) => this.#accept(socket));
  }

  serve(server: Server): void {
    this.#server = server;
    this.#listener.maxConnections = server.maxConnections;
    if (!this.#isHeld) this.letIn();
  }

  hold(): void {
    this.#isHeld = true;
  }

  letIn(): void {
    this.#isHeld = false;
    if (this.#server === null) return;
    for (const socket of this.#waiting) this.#server.emit("connection", socket);
    this.#waiting.clear();
  }

  /** True if this server stood behind the port. */
  leave(server: Server): boolean {
    if (this.#server !== server) return false;
    this.#server = null;
    return true;
  }

  /** Connections that the server has go on. */
  stopListening(): void {
    this.#listener.close();
    for (const socket of this.#waiting) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#listener.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => {
      this.#sockets.delete(socket);
      this.#waiting.delete(socket);
    });
    if (this.#server !== null && !this.#isHeld) return void this.#server.emit("connection", socket);
    if (this.#waiting.size >= MAX_WAITING_CONNECTIONS) return void socket.destroy();
    this.#waiting.add(socket);
    socket.on("error", () => socket.destroy());
  }
}
