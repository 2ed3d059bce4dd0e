/**
 * The beneficiaries of a settlement's reward: the app names them in the metadata, parties and weights in two lists with
 * commas. The weights are checked with those of every other reward.
 */
import { abort } from "../../../engine/failure.ts";
import { parseDecimal } from "../../../values/decimal.ts";
import { type Parsed, show } from "../../../values/parsed.ts";
import { parsePartyId } from "../../../values/party-id.ts";
import type { AppRewardBeneficiary } from "../../splice-api-featured-app-v1/featured-app-right.ts";
import type { Metadata } from "../../splice-api-token-v1/metadata.ts";
import { AMULET_PREFIX } from "../coin/holding-metadata.ts";

const BENEFICIARIES = `${AMULET_PREFIX}app-reward-beneficiaries`;
const WEIGHTS = `${AMULET_PREFIX}app-reward-beneficiary-weights`;

export function namedBeneficiaries({ values }: Metadata): readonly AppRewardBeneficiary[] | null {
  const find = (key: string) => values.find(([name]) => name === key)?.[1];
  const [named, weighed] = [find(BENEFICIARIES), find(WEIGHTS)];
  if (named === undefined && weighed === undefined) return null;
  if (named === undefined || weighed === undefined) {
    const got = `(${showOptional(named)},${showOptional(weighed)})`;
    abort(`Expected both beneficiaries and weights to be present, but got: ${got}`);
  }
  const parties = parseEach("beneficiaries", named, parsePartyId);
  const weights = parseEach("weights", weighed, parseDecimal);
  if (parties.length !== weights.length) {
    const counts = `Number of beneficiaries (${parties.length}) does not match number of weights`;
    abort(`${counts} (${weights.length})`);
  }
  return parties.map((beneficiary, i) => ({ beneficiary, weight: weights[i] as (typeof weights)[number] }));
}

function parseEach<T>(what: string, text: string, parse: (part: string) => Parsed<T>): readonly T[] {
  return text.split(",").map((part) => {
    const result = parse(part);
    return result.ok ? result.value : abort(`Failed to parse ${what}: ${show(text)}`);
  });
}

function showOptional(text: string | undefined): string {
  return text === undefined ? "None" : `Some ${show(text)}`;
}
