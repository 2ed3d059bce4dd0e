/** GET requests, or POST where there is a body, over connections that stay open, the next on each as soon as the last is answered. */
import { connect, type Socket } from "node:net";

export interface GetLoad {
  readonly port: number;
  readonly connections: number;
  readonly requests: number;
  readonly path: (i: number) => string;
  readonly status: number;
  readonly token?: string;
  readonly body?: (i: number) => string | undefined;
}

/** Requests a second. Throws for an answer of another status. */
export async function runGets(load: GetLoad): Promise<number> {
  let next = 0;
  const authorization = load.token === undefined ? "" : `authorization: Bearer ${load.token}\r\n`;
  const began = process.hrtime.bigint();
  const connection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port: load.port, host: "127.0.0.1", noDelay: true });
      const send = () => {
        if (next >= load.requests) return socket.end();
        const i = next++;
        const body = load.body?.(i);
        const [method, length] =
          body === undefined ? ["GET", ""] : ["POST", `content-length: ${body.length}\r\n`];
        return socket.write(
          `${method} ${load.path(i)} HTTP/1.1\r\nhost: localhost\r\n${authorization}${length}\r\n${body ?? ""}`,
        );
      };
      socket
        .once("connect", send)
        .once("close", () => resolve())
        .once("error", reject);
      readAnswers(socket, load.status, send);
    });
  await Promise.all(Array.from({ length: load.connections }, connection));
  return load.requests / (Number(process.hrtime.bigint() - began) / 1e9);
}

/** Calls `answered` once for each whole answer. */
function readAnswers(socket: Socket, status: number, answered: () => void): void {
  let read = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    read += chunk;
    const head = read.indexOf("\r\n\r\n");
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(read)?.[1]);
    if (read.length < head + 4 + length) return;
    if (!read.startsWith(`HTTP/1.1 ${status} `)) socket.destroy(new Error(`answered ${read.slice(0, 500)}`));
    read = "";
    answered();
  });
}
