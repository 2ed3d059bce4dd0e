/** Compares the answers of people, participants and scans after an economy over HTTP with the auditor's counts. */
import { HttpError } from "../../packages/api/src/client-errors.ts";
import {
  ClosedMiningRound,
  formatDecimal,
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
} from "../../packages/ledger/src/index.ts";
import { decimalFromUnits } from "../../packages/ledger/src/values/decimal.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { compareWithBalance } from "../support/history.ts";
import type { NetworkClients } from "../support/network-clients.ts";
import type { Audit } from "./audit-log.ts";
import { type Deeds, PEOPLE, type People } from "./economy-people.ts";

/** By number. */
export const SVS: readonly number[] = [1, 2, 3, 4];
/** More than any test plays: a scan that never says that a round goes on is not asked for ever. */
const MOST_ROUNDS = 10_000n;
/** Three that are open, and four that wait to issue or do. */
const MOST_LIVE_ROUNDS = 3 + 4;

/** By which choice the ledger shows that it happened. */
const SHOWN_BY = {
  tap: "AmuletRules_DevNet_Tap",
  name: "AnsRules_CollectInitialEntryPayment",
  accept: "AcceptedTransferOffer_Complete",
  traffic: "BuyTrafficRequest_Complete",
  marker: "FeaturedAppRight_CreateActivityMarker",
} as const;

/** Each acknowledged call took effect, and none more often than it was tried. */
export function compareDeeds({ tried, acknowledged }: Deeds, { auditor }: Audit): readonly string[] {
  return (Object.keys(SHOWN_BY) as (keyof typeof SHOWN_BY)[]).flatMap((deed) => {
    const found = auditor.seen.get(SHOWN_BY[deed]) ?? 0;
    const isRight = acknowledged[deed] <= found && found <= tried[deed];
    return isRight
      ? []
      : [`${deed}: ${found} happened, ${acknowledged[deed]} of ${tried[deed]} were acknowledged`];
  });
}

/** Every name belongs to its buyer, on every scan. */
export async function compareOwners(network: NetworkClients, people: People): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { name, owner } of people.deeds.names) {
    for (const number of SVS) {
      const shown = await network.owner(name, number);
      if (shown !== people.party(owner)) problems.push(`scan ${number}: ${name} is ${shown}'s`);
    }
  }
  return problems;
}

/** A user's own node shows them the coin that they have, to the last digit. */
export function compareCoins(shown: ReadonlyMap<string, bigint>, { auditor }: Audit): readonly string[] {
  return [...shown].flatMap(([party, coin]) => {
    const held = auditor.coins.held(party as PartyId);
    return coin === held ? [] : [`${party} is shown ${coin}, and has ${held}`];
  });
}

export async function readCoins(people: People): Promise<ReadonlyMap<string, bigint>> {
  const shown = new Map<string, bigint>();
  for (const person of PEOPLE) shown.set(people.party(person), await people.coins(person));
  return shown;
}

/** The history of each wallet adds up to its balance. */
export async function compareHistories(network: NetworkClients): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const person of PEOPLE) {
    const { sum, balance } = await compareWithBalance(network.validator(person));
    if (sum !== balance)
      problems.push(`the history of ${person} adds up to ${sum}, the balance is ${balance}`);
  }
  return problems;
}

/** Each scan's collected rewards: in total, then in each round up to the first open one. */
export async function readRewards(network: NetworkClients): Promise<readonly (readonly string[])[]> {
  return Promise.all(
    SVS.map(async (number) => {
      const scan = network.scan(number);
      const said = [(await scan.getRewardsCollected()).amount];
      for (let round = 0n; round < MOST_ROUNDS; round++) {
        try {
          said.push((await scan.getRewardsCollected({ query: { round } })).amount);
        } catch (error) {
          if (error instanceof HttpError && error.status === 404) break;
          throw error;
        }
      }
      return said;
    }),
  );
}

/** Every scan agrees with the auditor on the rounds that were closed when it was asked. */
export function compareRewards(said: readonly (readonly string[])[], { auditor }: Audit): readonly string[] {
  const { collected } = auditor.rewards;
  const live = liveRounds(auditor, [OpenMiningRound, SummarizingMiningRound, IssuingMiningRound]);
  const closed = Number(live.reduce((least, number) => (number < least ? number : least)));
  return said.flatMap((amounts, place) => {
    const count = amounts.length - 1;
    const rounds = Array.from({ length: count }, (_, i) => collected.get(BigInt(i)) ?? 0n);
    const all = rounds.reduce((sum, amount) => sum + amount, 0n);
    const expected = [all, ...rounds].map((amount) => formatDecimal(decimalFromUnits(amount)));
    // One more round may have closed since.
    const isRight = amounts.join() === expected.join() && (count === closed || count === closed - 1);
    return isRight ? [] : [`scan ${place + 1} says [${amounts}], not [${expected}], of ${closed} rounds`];
  });
}

/** Rounds go through their states while SVs come and go: nothing waits for ever. */
export function listStuck({ auditor }: Audit): readonly string[] {
  const stuck = liveRounds(auditor, [SummarizingMiningRound, ClosedMiningRound]);
  const live = liveRounds(auditor, [OpenMiningRound, IssuingMiningRound]);
  const coupons = [...auditor.rewards.coupons.live.values()].filter(({ round }) => !live.includes(round));
  return [
    ...stuck.map((number) => `round ${number} is stuck`),
    ...coupons.map(({ kind, round }) => `a coupon of round ${round} is left: ${kind}`),
    ...(live.length <= MOST_LIVE_ROUNDS ? [] : [`too many rounds are alive: ${live.join()}`]),
  ];
}

type RoundTemplate =
  | typeof OpenMiningRound
  | typeof SummarizingMiningRound
  | typeof IssuingMiningRound
  | typeof ClosedMiningRound;

function liveRounds(
  { book, network }: Audit["auditor"],
  templates: readonly RoundTemplate[],
): readonly bigint[] {
  return templates.flatMap((template) => {
    return book.signedBy(network.dso, template).map(({ payload }) => payload.round.number);
  });
}
