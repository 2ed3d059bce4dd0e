// A bare HTTP server that answers from Redis or PostgreSQL, in a process of its own. Tells its port, and its processor time when asked.

import { createServer } from "node:http";
import { connect } from "node:net";
import pg from "pg";
import { answerParent } from "../measured-server.ts";

const [kind = "", place = ""] = process.argv.slice(2);

type Find = (key: string) => Promise<string | null>;

/** One connection, on which questions follow each other without waiting. */
function openRedis(port: number): Find {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const waiting: ((value: string | null) => void)[] = [];
  let read = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    read += chunk;
    for (;;) {
      const end = read.indexOf("\r\n");
      if (end < 0) return;
      const length = Number(read.slice(1, end));
      const next = length < 0 ? end + 2 : end + length + 4;
      if (read.length < next) return;
      waiting.shift()?.(length < 0 ? null : read.slice(end + 2, end + 2 + length));
      read = read.slice(next);
    }
  });
  return (key) =>
    new Promise((resolve) => {
      waiting.push(resolve);
      socket.write(`*2\r\n$3\r\nGET\r\n$${key.length}\r\n${key}\r\n`);
    });
}

function openPostgres(connectionString: string): Find {
  const pool = new pg.Pool({ connectionString, max: 8 });
  return async (key) => {
    const query = { name: "find", text: "select body from name where name = $1", values: [key] };
    return (await pool.query<{ body: string }>(query)).rows[0]?.body ?? null;
  };
}

const find = kind === "redis" ? openRedis(Number(place)) : openPostgres(place);
const server = createServer(async ({ url = "" }, answer) => {
  const body = await find(url.slice(url.lastIndexOf("/") + 1));
  answer.writeHead(body === null ? 404 : 200, {
    "content-type": "application/json",
    "content-length": body?.length ?? 0,
  });
  answer.end(body ?? "");
});
server.listen(0, "127.0.0.1", () => answerParent((server.address() as { port: number }).port));
