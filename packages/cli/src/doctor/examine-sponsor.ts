/** The SV that sponsors a validator, and the onboarding secret that it gave. */
import { createClient, svApi } from "@callsign/api";
import type { Host } from "@callsign/node";
import { type Examination, examine, fault, fine } from "./examination.ts";
import { examineUrl } from "./examine-server.ts";

interface Onboarding {
  readonly svUrl: string;
  readonly secret?: string;
  readonly hint: string;
  /** The DSO that the scans know; undefined if none tells. */
  readonly dso: string | undefined;
  readonly host: Host;
}

export async function examineSponsor(onboarding: Onboarding): Promise<readonly Examination[]> {
  const { svUrl, secret, hint, dso, host } = onboarding;
  const key = "svSponsorAddress";
  const reached = await examineUrl(key, { role: "sv", url: svUrl, host });
  // The hint can be compared although nobody answers.
  if (reached[0]?.isFine !== true)
    return [...reached, ...examineSecret(secret, undefined, hint).filter(({ isFine }) => !isFine)];
  const connections = host.http.openClient();
  const fix = "Ask the sponsor's operator, or ask another SV to sponsor you";
  const looks = await examine({ what: `${key} ${svUrl}`, fix, host }, async () => {
    const client = createClient(svApi, { fetch: connections.fetch, timers: host.timers, baseUrl: svUrl });
    const { sv_party_id: sponsor, dso_party_id: theirs } = await client.getDsoInfo();
    const other =
      dso === undefined || dso === theirs
        ? []
        : [
            fault(
              "network of the sponsor",
              `its DSO is ${theirs}, and that of the scan is ${dso}`,
              "Give sponsor and scan of one network",
            ),
          ];
    return [...other, ...examineSecret(secret, sponsor, hint)];
  });
  connections.close();
  return [...reached, ...looks];
}

/** Compares the readable parts of the secret. A used or expired one is found only at the onboarding itself. */
function examineSecret(
  secret: string | undefined,
  sponsor: string | undefined,
  hint: string,
): readonly Examination[] {
  if (secret === undefined) return [];
  const what = "onboarding secret";
  const { sponsoringSv, partyHint } = readSecret(secret);
  if (sponsor !== undefined && sponsoringSv !== null && sponsoringSv !== sponsor)
    return [
      fault(
        what,
        `it is of ${sponsoringSv}, and the sponsor at this URL is ${sponsor}`,
        "Give the URL of the SV that made the secret",
      ),
    ];
  if (partyHint !== null && partyHint !== hint)
    return [
      fault(
        what,
        `it is good for the party hint ${partyHint}, and validatorPartyHint is ${hint}`,
        "Ask the sponsor for another secret, and name your party hint",
      ),
    ];
  return [
    fine(
      what,
      "fits the sponsor and the party hint; whether it was used or has expired shows when it is used",
    ),
  ];
}

/** The parts that are no secret; null where it has none. */
function readSecret(secret: string): {
  readonly sponsoringSv: string | null;
  readonly partyHint: string | null;
} {
  try {
    const value: unknown = JSON.parse(Buffer.from(secret, "base64").toString());
    const { sponsoringSv = null, partyHint = null } = value as Record<string, unknown>;
    return {
      sponsoringSv: typeof sponsoringSv === "string" ? sponsoringSv : null,
      partyHint: typeof partyHint === "string" ? partyHint : null,
    };
  } catch {
    return { sponsoringSv: null, partyHint: null };
  }
}
