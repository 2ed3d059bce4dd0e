/** Who answers at a URL, and whether its clock agrees with this machine's. */
import { type Fetch, findAnsweringRole } from "@callsign/api";
import type { Host } from "@callsign/node";
import { type Examination, fault, fine } from "./examination.ts";
import { MAX_CLOCK_SKEW_MILLISECONDS } from "./limits.ts";

export type ServerKind = "an SV app" | "a scan" | "a sequencer" | "a participant";

export interface ExaminedServer {
  readonly key: string;
  readonly kind: ServerKind;
  readonly url: string;
  readonly host: Host;
}

/** Throws if nobody answers. */
export async function examineServer(server: ExaminedServer): Promise<readonly Examination[]> {
  const { key, kind, url, host } = server;
  const what = `${key} ${url}`;
  const connections = host.http.openClient();
  try {
    const clock = await examineClock(what, url, { host, fetch: connections.fetch });
    const role = await findAnsweringRole(url, { fetch: connections.fetch, timers: host.timers });
    if (role === kind) return [fine(what, `${kind} answers`), ...clock];
    const said = `${role ?? "a server of another kind"} answers, and ${key} is the address of ${kind}`;
    return [fault(what, said, `Give the right address in ${key}: are two of them swapped?`), ...clock];
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
