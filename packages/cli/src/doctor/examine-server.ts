/** Who answers at a URL, and whether its clock agrees with this machine's. */
import type { Fetch } from "@callsign/api";
import { describeServer, formatServer, type Host, type ServerRole } from "@callsign/node";
import { type Examination, fault, fine } from "./examination.ts";
import { MAX_CLOCK_SKEW_MILLISECONDS } from "./limits.ts";

export interface ExaminedServer {
  readonly key: string;
  readonly role: ServerRole;
  readonly url: string;
  readonly host: Host;
}

/** Throws if nobody answers. */
export async function examineServer(server: ExaminedServer): Promise<readonly Examination[]> {
  const { key, role, url, host } = server;
  const what = `${key} ${url}`;
  const connections = host.http.openClient();
  try {
    const clock = await examineClock(what, url, { host, fetch: connections.fetch });
    const description = await describeServer(url, host);
    const answering = formatServer(description);
    if (description.kind === "known" && description.roles.includes(role))
      return [fine(what, `${answering} answers`), ...clock];
    const fix = `Give the right address in ${key}: are two of them swapped?`;
    return [fault(what, `is answered by ${answering}`, fix), ...clock];
  } finally {
    connections.close();
  }
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
  const seconds = Math.round(Math.abs(skew) / 1000);
  const said = `its clock is ${seconds} seconds ${skew > 0 ? "ahead of" : "behind"} this machine's`;
  const fix = "Synchronise this machine's clock with a time server (timedatectl, chrony)";
  return [fault(`clock of ${what}`, said, fix)];
}
