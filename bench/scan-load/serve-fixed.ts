// The floor: a bare `node:http` server with two fixed bodies, as long as scan's, in a process of its own.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerParent } from "./measured-server.ts";

const [hit = "", miss = ""] = process.argv.slice(2).map((length) => "x".repeat(Number(length)));
const server = createServer((request, response) => {
  const [status, body] = request.url === "/miss" ? [404, miss] : [200, hit];
  response.writeHead(status, { "content-type": "application/json", "content-length": body.length }).end(body);
});
server.listen(0, "127.0.0.1", () => answerParent((server.address() as AddressInfo).port));
