/** Stands between a client and a TCP server: it can cut connections, move to another server and change bytes. */
import { connect, createServer, type Socket } from "node:net";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";

export interface ProxiedConnection {
  readonly cut: () => void;
}

export interface ProxyHooks {
  /** The bytes to pass on to the server; null for none. */
  readonly toServer?: (bytes: Buffer, connection: ProxiedConnection) => Buffer | null;
  readonly toClient?: (bytes: Buffer, connection: ProxiedConnection) => Buffer | null;
}

export class TcpProxy {
  hooks: ProxyHooks = {};
  /** While true, connections are refused. */
  isDown = false;
  port = 0;
  #target: number;
  readonly #sockets = new Set<Socket>();

  private constructor(target: number) {
    this.#target = target;
  }

  static async start(target: number, atEnd: AtEnd): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    const server = createServer((client) => proxy.#serve(client));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    proxy.port = typeof address === "object" && address !== null ? address.port : 0;
    atEnd(() => {
      proxy.cutAll();
      server.close();
    });
    return proxy;
  }

  /** New connections go there. */
  moveTo(target: number): void {
    this.#target = target;
  }

  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #serve(client: Socket): void {
    if (this.isDown) return void client.destroy();
    const server = connect(this.#target, "127.0.0.1");
    const connection = {
      cut: () => {
        client.destroy();
        server.destroy();
      },
    };
    for (const [from, to, hook] of [
      [client, server, "toServer"],
      [server, client, "toClient"],
    ] as const) {
      this.#sockets.add(from);
      from.on("data", (bytes: Buffer) => {
        const change = this.hooks[hook];
        const passed = change === undefined ? bytes : change(bytes, connection);
        if (passed !== null && !to.destroyed) to.write(passed);
      });
      from.on("error", connection.cut);
      from.on("close", () => {
        this.#sockets.delete(from);
        connection.cut();
      });
    }
  }
}
