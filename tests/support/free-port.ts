/**
 * Ports for processes that are started again on the same ones. They are below the ports that systems give to clients and to
 * servers on port 0: those may be taken while the process is down. The port before each is held until the test runner's
 * process ends, so that no other one gets the same.
 */
import { createServer, type Server } from "node:net";

const [FIRST, END] = [12_000, 32_000] as const;
/** Processes begin at different places: they seldom meet. */
let next = FIRST + ((process.pid * 100) % (END - FIRST));

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < (END - FIRST) / 2; tries++) {
    const before = next;
    next = before + 2 < END ? before + 2 : FIRST;
    const held = await listen(before);
    const server = held === null ? null : await listen(before + 1);
    if (server === null) {
      held?.close();
      continue;
    }
    held?.unref();
    await new Promise((resolve) => server.close(resolve));
    return before + 1;
  }
  throw new Error(`no port from ${FIRST} to ${END} is free`);
}

/** Null if the port is in use. */
function listen(port: number): Promise<Server | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(null));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
