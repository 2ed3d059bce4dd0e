/** The network as the configured URLs show it: sponsor, scans, sequencers, migration id, onboarding secret. */
import { createClient, scanApi, svApi } from "@callsign/api";
import type { Host, ServerRole } from "@callsign/node";
import type { ValidatorSettings } from "../settings/setups.ts";
import { type Examination, examine, fault, fine } from "./examination.ts";
import { examineServer } from "./examine-server.ts";

export async function examineNetwork(
  config: ValidatorSettings,
  host: Host,
): Promise<readonly (readonly Examination[])[]> {
  const { onboarding, scans, sequencers } = config;
  const seeds = scans.kind === "trust-single" ? [scans.url] : scans.seedUrls;
  const looks = [
    ...seeds.map((url) => examineUrl("scanAddress", "scan", url, host)),
    ...seeds.slice(0, 1).map((url) => examineScan(url, config, host)),
    ...(onboarding === undefined ? [] : [examineSponsor(onboarding, config.operatorPartyHint, host)]),
    ...(sequencers.kind === "trust-single"
      ? [examineUrl("decentralizedSynchronizerUrl", "sequencer", sequencers.url, host)]
      : []),
  ];
  return Promise.all(looks);
}

function examineUrl(key: string, role: ServerRole, url: string, host: Host): Promise<readonly Examination[]> {
  const fix = `Give the address of a ${role} in ${key}, and see that this machine reaches it (firewall, proxy, DNS)`;
  return examine({ what: `${key} ${url}`, fix, host }, () => examineServer({ key, role, url, host }));
}

/** The other scans and the sequencers that the first scan knows. */
function examineScan(url: string, config: ValidatorSettings, host: Host): Promise<readonly Examination[]> {
  const what = `network at ${url}`;
  const fix = "Ask the operator of that scan, or give another one";
  return examine({ what, fix, host }, async () => {
    const connections = host.http.openClient();
    const client = (baseUrl: string) =>
      createClient(scanApi, { fetch: connections.fetch, timers: host.timers, baseUrl });
    try {
      const [{ dso_party_id: dso }, known, { domainSequencers }] = await Promise.all([
        client(url).getDsoPartyId(),
        client(url).listDsoScans(),
        client(url).listDsoSequencers(),
      ]);
      const others = known.scans.flatMap(({ scans }) => scans);
      const sequencers = domainSequencers.flatMap((each) => each.sequencers);
      const looks = await Promise.all([
        ...others.map(({ publicUrl, svName }) =>
          compareScan(
            `scan of ${svName} ${publicUrl}`,
            dso,
            client(`${publicUrl.replace(/\/+$/, "")}/api/scan`),
            host,
          ),
        ),
        ...sequencers.map((sequencer) =>
          examineUrl(`sequencer of ${sequencer.svName}`, "sequencer", sequencer.url, host),
        ),
      ]);
      const ids = [...new Set(sequencers.map(({ migrationId }) => Number(migrationId)))].filter(
        (id) => id >= 0,
      );
      return [...looks.flat(), compareMigration(ids, config.migrationId)];
    } finally {
      connections.close();
    }
  });
}

function compareScan(
  what: string,
  dso: string,
  client: { getDsoPartyId: () => Promise<{ readonly dso_party_id: string }> },
  host: Host,
): Promise<readonly Examination[]> {
  const fix = "One scan in three may be missing; see that this machine may call all of them";
  return examine({ what, fix, host }, async () => {
    const { dso_party_id: theirs } = await client.getDsoPartyId();
    if (theirs === dso) return [fine(what, "answers, and knows the same DSO")];
    return [
      fault(
        what,
        `it belongs to another network: its DSO is ${theirs}, not ${dso}`,
        "Do not use the first scan before the operators of both have explained it",
      ),
    ];
  });
}

function compareMigration(ids: readonly number[], given: number): Examination {
  const what = `migration.id ${given}`;
  if (ids.length === 0 || ids.includes(given)) return fine(what, "the network's own");
  return fault(what, `the network's is ${ids.join(", ")}`, `Set migration.id to ${ids.join(" or ")}`);
}

function examineSponsor(
  { svUrl, secret }: NonNullable<ValidatorSettings["onboarding"]>,
  hint: string,
  host: Host,
): Promise<readonly Examination[]> {
  const what = `svSponsorAddress ${svUrl}`;
  const fix =
    "Give the URL of the sponsor's SV app, and see that this machine reaches it (firewall, proxy, DNS)";
  return examine({ what, fix, host }, async () => {
    const reached = await examineServer({ key: "svSponsorAddress", role: "sv", url: svUrl, host });
    if (secret === undefined || reached.some(({ isFine }) => !isFine)) return reached;
    const connections = host.http.openClient();
    try {
      const client = createClient(svApi, { fetch: connections.fetch, timers: host.timers, baseUrl: svUrl });
      const { sv_party_id: sponsor } = await client.getDsoInfo();
      return [...reached, examineSecret(secret, sponsor, hint)];
    } finally {
      connections.close();
    }
  });
}

/** Whether it is still valid shows only when it is used. */
function examineSecret(secret: string, sponsor: string, hint: string): Examination {
  const what = "onboarding secret";
  const again = "Ask the sponsor for another secret, and name your party hint";
  const { sponsoringSv, partyHint } = readSecret(secret);
  if (sponsoringSv !== null && sponsoringSv !== sponsor)
    return fault(
      what,
      `it is of ${sponsoringSv}, and the sponsor at this URL is ${sponsor}`,
      "Give the URL of the SV that made the secret",
    );
  if (partyHint !== null && partyHint !== hint)
    return fault(
      what,
      `it is good for the party hint ${partyHint}, and validatorPartyHint is ${hint}`,
      again,
    );
  return fine(
    what,
    "fits the sponsor and the party hint; whether it was used or has expired shows when it is used",
  );
}

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
