/** Amulet: a coin. Owner and DSO sign it; it is spent by transfers and swept once its holding fees ate it up. */
import { implement, implementInterface } from "../../../engine/template.ts";
import { deprecatedChoices } from "../../checks/deprecated-choices.ts";
import { Holding } from "../../splice-api-token-v1/holding.ts";
import { Amulet } from "../declarations/amulet.ts";
import { requireExpiredForAllRounds } from "./coin-expiry.ts";
import { isValidExpiringAmount } from "./expiring-amount.ts";
import { holdingTransactionMetadata } from "./holding-metadata.ts";
import { holdingView } from "./holding-view.ts";

export const amulet = implement(Amulet, {
  signatories: ({ dso, owner }) => [dso, owner],
  ensure: ({ amount }) => isValidExpiringAmount(amount),
  choices: {
    ...deprecatedChoices("splice-amulet", "0.1.17", { Amulet_Expire: ({ dso }: Amulet) => [dso] }),
    Amulet_ExpireV2: {
      controllers: ({ dso }) => [dso],
      exercise: ({ update, contract: coin, argument: states }) => {
        requireExpiredForAllRounds(update, coin, states);
        const burned = coin.amount.initialAmount;
        return {
          expireSum: { owner: coin.owner },
          meta: holdingTransactionMetadata({ kind: "expire-dust", burned }),
        };
      },
    },
  },
  interfaces: [implementInterface(Amulet, Holding, { view: (coin) => holdingView(coin, null) })],
});
