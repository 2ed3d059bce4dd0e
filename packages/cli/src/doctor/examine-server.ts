/** The server at a URL: its role, and the difference between its clock and this machine's. */
import type { Fetch } from "@callsign/api";
import { describeServer, formatServer, type Host, type ServerRole } from "@callsign/node";
import { type Examination, examine, fault, fine } from "./examination.ts";
import { MAX_CLOCK_SKEW_MILLISECONDS } from "./limits.ts";
import { SYNCHRONISE } from "./shared-causes.ts";

export interface ExaminedServer {
  /** The key, or whatever else the URL is known by. */
  readonly what: string;
  readonly role: ServerRole;
  readonly url: string;
  readonly host: Host;
  /** The remedy if nobody answers. */
  readonly unreachable: string;
  /** The remedy if somebody else answers. */
  readonly wrong: string;
}

const NAMES = { scan: "a scan", sv: "an SV app", sequencer: "a sequencer" } as const;

/** A URL that a key of the configuration gives. */
export function examineUrl(
  key: string,
  server: Pick<ExaminedServer, "url" | "host"> & { readonly role: keyof typeof NAMES },
): Promise<readonly Examination[]> {
  return examineServer({
    ...server,
    what: key,
    unreachable: `Give the address of ${NAMES[server.role]} in ${key}, and see that this machine reaches it (firewall, proxy, DNS)`,
    wrong: `Give the right address in ${key}: are two of them swapped?`,
  });
}

export function examineServer(server: ExaminedServer): Promise<readonly Examination[]> {
  const { role, url, host, unreachable, wrong } = server;
  const what = `${server.what} ${url}`;
  return examine({ what, fix: unreachable, host }, async () => {
    const connections = host.http.openClient();
    try {
      const clock = await examineClock(what, url, { host, fetch: connections.fetch });
      const description = await describeServer(url, host);
      const answering = formatServer(description);
      if (description.kind === "known" && description.roles.includes(role))
        return [fine(what, `${answering} answers`), ...clock];
      return [fault(what, `is answered by ${answering}`, wrong), ...clock];
    } finally {
      connections.close();
    }
  });
}

async function examineClock(
  what: string,
  url: string,
  { host, fetch }: { readonly host: Host; readonly fetch: Fetch },
): Promise<readonly Examination[]> {
  const asked = host.clock.wallMilliseconds();
  const answer = await fetch(`${new URL(url).origin}/livez`, {});
  await answer.body?.cancel();
  const theirs = Date.parse(answer.headers.get("date") ?? "");
  const ours = (asked + host.clock.wallMilliseconds()) / 2;
  // The header has whole seconds.
  const skew = theirs + 500 - ours;
  if (Number.isNaN(theirs) || Math.abs(skew) <= MAX_CLOCK_SKEW_MILLISECONDS) return [];
  const skewSeconds = Math.round(skew / 1000);
  const said = `its clock is ${Math.abs(skewSeconds)} seconds ${skew > 0 ? "ahead of" : "behind"} this machine's`;
  return [{ ...fault(`clock of ${what}`, said, SYNCHRONISE), skewSeconds }];
}
