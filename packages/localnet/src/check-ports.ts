/** Checks that every configured port is free, before anything starts. */
import { createServer } from "node:net";
import type { Ports } from "./ports.ts";

/** Rejects with the system's error for the first port in use. */
export async function checkPorts(host: string, { nodes, svs, development, metrics }: Ports): Promise<void> {
  const ports = [
    ...Object.values(nodes).flatMap(({ ledger, validator, gateway }) => [ledger, validator, gateway]),
    ...svs.flatMap(({ scan, sequencer, app }) => [scan, sequencer, app]),
    development,
    metrics,
  ];
  await Promise.all(ports.filter((port) => port !== 0).map((port) => tryPort(host, port)));
}

function tryPort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ host, port }, () => server.close(() => resolve()));
  });
}
