/** The network as the configured URLs show it: scans, sequencers, migration id, sponsor. */
import { createClient, scanApi } from "@callsign/api";
import type { Host } from "@callsign/node";
import type { ValidatorSettings } from "../settings/setups.ts";
import { withPath } from "../settings/urls.ts";
import { type Examination, examine, fault, fine } from "./examination.ts";
import { examineServer, examineUrl } from "./examine-server.ts";
import { examineSponsor } from "./examine-sponsor.ts";

export async function examineNetwork(config: ValidatorSettings, host: Host): Promise<readonly Examination[]> {
  const { onboarding, sequencers } = config;
  const [{ dso, examinations }, single] = await Promise.all([
    examineScans(config, host),
    sequencers.kind === "trust-single"
      ? examineUrl("decentralizedSynchronizerUrl", { role: "sequencer", url: sequencers.url, host })
      : [],
  ]);
  const sponsor =
    onboarding === undefined
      ? []
      : await examineSponsor({ ...onboarding, hint: config.operatorPartyHint, dso, host });
  return [...examinations, ...single, ...sponsor];
}

interface ExaminedScans {
  readonly examinations: readonly Examination[];
  /** The DSO of the network; undefined if no scan tells. */
  readonly dso: string | undefined;
}

/** The network is looked at through the first scan that answers. */
async function examineScans(config: ValidatorSettings, host: Host): Promise<ExaminedScans> {
  const { scans } = config;
  const seeds = scans.kind === "trust-single" ? [scans.url] : scans.seedUrls;
  const looks = await Promise.all(
    seeds.map(async (url) => ({
      url,
      examinations: await examineUrl("scanAddress", { role: "scan", url, host }),
    })),
  );
  const examinations = looks.flatMap((each) => each.examinations);
  const first = looks.find((each) => each.examinations[0]?.isFine === true);
  if (first === undefined) return { examinations, dso: undefined };
  const network = await examineScan(first.url, config, host);
  return { dso: network.dso, examinations: [...examinations, ...network.examinations] };
}

/** The other scans and the sequencers that a scan knows. */
async function examineScan(url: string, config: ValidatorSettings, host: Host): Promise<ExaminedScans> {
  const fix = "Ask the operator of that scan, or give another one";
  const connections = host.http.openClient();
  const client = (baseUrl: string) =>
    createClient(scanApi, { fetch: connections.fetch, timers: host.timers, baseUrl });
  let dso: string | undefined;
  const examinations = await examine({ what: `network at ${url}`, fix, host }, async () => {
    const [{ dso_party_id: ours }, known, { domainSequencers }] = await Promise.all([
      client(url).getDsoPartyId(),
      client(url).listDsoScans(),
      client(url).listDsoSequencers(),
    ]);
    dso = ours;
    const others = known.scans.flatMap(({ scans }) => scans);
    const sequencers = domainSequencers.flatMap((each) => each.sequencers);
    const looks = await Promise.all([
      ...others.map(({ publicUrl, svName }) => {
        const scan = client(withPath(publicUrl, "/api/scan"));
        return compareScan(`scan of ${svName} ${publicUrl}`, ours, scan, host);
      }),
      ...sequencers.map((sequencer) => examineSequencer(sequencer, host)),
    ]);
    const ids = [...new Set(sequencers.map(({ migrationId }) => Number(migrationId)))];
    const current = ids.filter((id) => id >= 0);
    return [...looks.flat(), compareMigration(current, config.migrationId)];
  });
  connections.close();
  return { examinations, dso };
}

function compareScan(
  what: string,
  dso: string,
  client: { getDsoPartyId: () => Promise<{ readonly dso_party_id: string }> },
  host: Host,
): Promise<readonly Examination[]> {
  const fix = "Fewer than a third of the scans may be missing; see that this machine may call all of them";
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

function examineSequencer(
  { svName, url }: { readonly svName: string; readonly url: string },
  host: Host,
): Promise<readonly Examination[]> {
  return examineServer({
    ...{ role: "sequencer", url, host, what: `sequencer of ${svName}` },
    unreachable:
      "Fewer than a third of the sequencers may be missing; see that the participant's machine may call all of them",
    wrong: `Tell the operator of ${svName}: the ledger has a wrong address`,
  });
}

function compareMigration(ids: readonly number[], given: number): Examination {
  const what = `migration.id ${given}`;
  if (ids.length === 0) return fine(what, "the network does not say its own");
  if (ids.includes(given)) return fine(what, "the network's own");
  return fault(what, `the network's is ${ids.join(", ")}`, `Set migration.id to ${ids.join(" or ")}`);
}
