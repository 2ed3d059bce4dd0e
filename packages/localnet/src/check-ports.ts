/** Checks that every configured port is free, before anything starts. */
import { type Host, listen } from "@callsign/node";
import { ADDRESS, type Ports } from "./ports.ts";

/** Rejects with the system's error for the first port in use. */
export async function checkPorts({ nodes, svs, development, metrics }: Ports, host: Host): Promise<void> {
  const ports = [
    ...Object.values(nodes).flatMap(({ ledger, validator, gateway }) => [ledger, validator, gateway]),
    ...svs.flatMap(({ scan, sequencer, app }) => [scan, sequencer, app]),
    development,
    metrics,
  ];
  const tryPort = async (port: number) => {
    const server = host.http.createServer({});
    await listen(server, ADDRESS, port);
    await new Promise((resolve) => server.close(resolve));
  };
  await Promise.all(ports.filter((port) => port !== 0).map(tryPort));
}
