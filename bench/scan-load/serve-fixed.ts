// The floor: a bare `node:http` server with fixed bodies, in a process of its own. Each argument, such as `200:480`, is the
// status and the length of one. A path begins with the body's number; the rest of it is as long as that of a real request.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerParent } from "./measured-server.ts";

const answers = process.argv.slice(2).map((text) => {
  const [status = 0, length = 0] = text.split(":").map(Number);
  return { status, body: "x".repeat(length) };
});
const server = createServer((request, response) => {
  const { status = 500, body = "" } = answers[Number(request.url?.charAt(1))] ?? {};
  response.writeHead(status, { "content-type": "application/json", "content-length": body.length }).end(body);
});
server.listen(0, "127.0.0.1", () => answerParent((server.address() as AddressInfo).port));
