/**
 * An economy over HTTP: people pay, rounds pass, and SVs go away in the middle of it and come back. Afterwards the
 * whole log is audited, and what people and scans say is compared with what the auditor counted.
 */
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { type Audit, auditLog } from "./audit-log.ts";
import { CrashingLocalNetwork } from "./crashing-local-network.ts";
import {
  compareCoins,
  compareDeeds,
  compareHistories,
  compareOwners,
  compareRewards,
  listStuck,
  readCoins,
  readRewards,
  SVS,
} from "./economy-checks.ts";
import { People } from "./economy-people.ts";

const TICK = 10n * MINUTE;
const UNTIL_RENEWALS = 61n * DAY;
const ROUNDS_AWAY = 4;

export interface EconomyFindings {
  readonly problems: readonly string[];
  /** Of apps and validators, over all rounds that are closed. */
  readonly collected: bigint;
  readonly seen: ReadonlyMap<string, number>;
}

export async function runEconomy(options: {
  readonly folder: string;
  readonly rounds: number;
  /** The SV that crashes, its round, and the loss of its data; the SV is back four rounds later. */
  readonly crashes: readonly { readonly place: number; readonly round: number; readonly forgets?: boolean }[];
}): Promise<EconomyFindings> {
  const { folder, rounds, crashes } = options;
  const network = await CrashingLocalNetwork.start(folder);
  try {
    const people = new People(network);
    await people.begin();
    for (let round = 1; round <= rounds; round++) {
      const acting = people.act();
      for (const crash of crashes) {
        if (crash.round === round) await network.crash(crash.place, crash.forgets);
        if (crash.round + ROUNDS_AWAY === round) await network.restart(crash.place);
      }
      await acting;
      await network.moveClock(TICK);
    }
    await people.finish();
    // Names are renewed in the last thirty of their ninety days.
    await network.moveClock(UNTIL_RENEWALS);
    const said = await readRewards(network);
    const shown = await readCoins(people);
    const audit = await auditLog(network.log);
    const problems = [
      ...(await compareHeads(network, audit)),
      ...compareDeeds(people.deeds, audit),
      ...countRenewals(people, audit),
      ...(await compareOwners(network, people)),
      ...compareCoins(shown, audit),
      ...(await compareHistories(network)),
      ...compareRewards(said, audit),
      ...listStuck(audit),
    ];
    return { problems, collected: decimal(said[0]?.[0] ?? "0"), seen: audit.auditor.seen };
  } finally {
    await network.close();
  }
}

async function compareHeads(network: CrashingLocalNetwork, { head }: Audit): Promise<readonly string[]> {
  const heads = await network.heads();
  return SVS.flatMap((number) => {
    const found = heads[number - 1];
    const isSame = found?.sequence === head.sequence && found.digest === head.digest;
    return isSame ? [] : [`SV ${number} stands at ${found?.sequence} ${found?.digest}, not ${head.sequence}`];
  });
}

/** Every name is renewed, once. */
function countRenewals({ deeds }: People, { auditor }: Audit): readonly string[] {
  const renewals = auditor.seen.get("AnsRules_CollectEntryRenewalPayment") ?? 0;
  const { length } = deeds.names;
  return renewals === length ? [] : [`${renewals} renewals of ${length} names`];
}
