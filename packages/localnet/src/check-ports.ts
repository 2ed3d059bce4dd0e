/** Checks that every configured port is free, before anything starts. */
import { type Host, listen } from "@callsign/node";
import { ADDRESS, type Ports } from "./ports.ts";

interface Purpose {
  readonly port: number;
  /** The part that listens there. */
  readonly part: string;
}

/** The ones that are named; a second local network would be told of all of them. */
const MOST_NAMED = 3;

export class PortsInUse extends Error {
  override readonly name = "PortsInUse";

  constructor(taken: readonly Purpose[]) {
    const named = taken.slice(0, MOST_NAMED).map(({ port, part }) => `${port} (${part})`);
    const more = taken.length - named.length;
    const list = [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
    super(
      taken.length === 1
        ? `Port ${list} is in use by another program, and the local network needs it.`
        : `Ports ${list} are in use by other programs, perhaps another local network, and this one needs them.`,
    );
  }
}

/** Rejects with `PortsInUse`, which names the ports and the parts that need them. */
export async function checkPorts(ports: Ports, host: Host): Promise<void> {
  const wanted = listPurposes(ports).filter(({ port }) => port !== 0);
  const taken = await Promise.all(
    wanted.map(async (purpose) => ((await isFree(purpose.port, host)) ? [] : [purpose])),
  );
  if (taken.flat().length > 0) throw new PortsInUse(taken.flat());
}

async function isFree(port: number, host: Host): Promise<boolean> {
  const server = host.http.createServer({});
  try {
    await listen(server, ADDRESS, port);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return false;
    throw error;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}

function listPurposes({ nodes, svs, development, login, metrics }: Ports): readonly Purpose[] {
  return [
    ...Object.entries(nodes).flatMap(([name, { ledger, validator, gateway }]) => [
      { port: ledger, part: `JSON Ledger API of ${name}` },
      { port: validator, part: `validator of ${name}` },
      { port: gateway, part: `gateway of ${name}` },
    ]),
    ...svs.flatMap(({ scan, sequencer, app }, i) => [
      { port: scan, part: `scan of SV ${i + 1}` },
      { port: sequencer, part: `sequencer of SV ${i + 1}` },
      { port: app, part: `app of SV ${i + 1}` },
    ]),
    { port: development, part: "health and clock" },
    { port: login, part: "login" },
    { port: metrics, part: "metrics" },
  ];
}
