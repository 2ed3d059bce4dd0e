/** This SV's vote on the coin's price. The ledger limits how often a vote changes. */
import {
  AmuletPriceVote,
  type Command,
  type Decimal,
  DsoRules,
  exerciseCommand,
  isDecimalUnits,
  parseDecimal,
} from "@callsign/ledger";
import { getContract } from "./show-contract.ts";
import { getDsoRules, type SvApp, submitForOperator } from "./sv-app.ts";
import { invalidRequest } from "./sv-app-error.ts";
import { checkVoteCooldown } from "./vote-cooldown.ts";

export async function updatePriceVote(app: SvApp, given: string): Promise<undefined> {
  const price = readPrice(given);
  if (getOwnVote(app).amuletPrice === price) return;
  await submitForOperator(app, "updateAmuletPriceVote", () => votePrice(app, price));
}

function votePrice(app: SvApp, amuletPrice: Decimal): Command {
  const { voteCid, lastUpdatedAt } = getOwnVote(app);
  checkVoteCooldown(app, lastUpdatedAt);
  const argument = { sv: app.party, voteCid, amuletPrice };
  return exerciseCommand(
    DsoRules,
    getDsoRules(app).contract.contractId,
    "DsoRules_UpdateAmuletPriceVote",
    argument,
  );
}

function getOwnVote(app: SvApp) {
  const voteCid = app.index.contracts.find(AmuletPriceVote, app.party);
  if (voteCid === undefined) {
    throw invalidRequest("This SV has no vote on the coin's price: it is not a member of the DSO");
  }
  return { voteCid, ...AmuletPriceVote.record.decode(JSON.parse(getContract(app, voteCid).payload)) };
}

function readPrice(given: string): Decimal {
  const price = parseDecimal(given);
  if (price.ok && price.value > 0n && isDecimalUnits(price.value)) return price.value;
  const shown = JSON.stringify(given.slice(0, 100));
  throw invalidRequest(
    `amulet_price is ${shown}: it is dollars, more than 0, with at most 28 digits before and 10 after the point`,
  );
}
