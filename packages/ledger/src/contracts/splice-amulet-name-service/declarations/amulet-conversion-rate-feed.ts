/** Splice.Ans.AmuletConversionRateFeed: a publisher's price of the coin; SVs may follow it with their votes. */
import { list } from "../../../daml/collections.ts";
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, numeric, party, text, time } from "../../../daml/scalars.ts";
import { consuming, declareTemplate } from "../../../engine/declaration.ts";
import { nameServicePackage } from "../../packages.ts";
import { AppRewardBeneficiary } from "../../splice-api-featured-app-v1/featured-app-right.ts";

const MarkerContext = record({ featuredAppRightCid: contractId, beneficiaries: list(AppRewardBeneficiary) });

export const AmuletConversionRateFeed = declareTemplate({
  package: nameServicePackage,
  module: "Splice.Ans.AmuletConversionRateFeed",
  entity: "AmuletConversionRateFeed",
  fields: {
    publisher: party,
    dso: party,
    nextUpdateAfter: optional(time),
    /** Dollars for a coin. */
    amuletConversionRate: numeric,
  },
  choices: {
    AmuletConversionRateFeed_ArchiveAsDso: consuming({ reason: text }),
    AmuletConversionRateFeed_Update: consuming(
      {
        amuletConversionRate: numeric,
        amuletRulesCid: contractId,
        markerContextO: optional(MarkerContext),
        newNextUpdateAfter: time,
      },
      record({ cid: contractId }),
    ),
  },
});
export type AmuletConversionRateFeed = ValueOf<(typeof AmuletConversionRateFeed)["record"]>;
