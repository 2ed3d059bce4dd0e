// The floor of a stream: a bare websocket server in a process of its own. The argument is the length of a frame; a reader asks for
// a number of frames, and gets them as fast as it reads.

import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { answerParent } from "../scan-load/measured-server.ts";

const frame = "x".repeat(Number(process.argv[2]));
const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
server.on("connection", (socket) => {
  socket.once("message", async (asked) => {
    for (let left = Number(asked); left > 0 && socket.readyState === socket.OPEN; left--)
      await new Promise((sent) => socket.send(frame, sent));
  });
});
server.once("listening", () => answerParent((server.address() as AddressInfo).port));
