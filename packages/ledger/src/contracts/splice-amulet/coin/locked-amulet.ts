/**
 * LockedAmulet: a coin put aside until its holders release it or the lock runs out. It carries the coin's
 * own record, so that unlocking gives back exactly the coin that was locked, with its original round and rate.
 */
import { implement, implementInterface } from "../../../engine/template.ts";
import { requireDeadlineExceeded } from "../../checks/deadline.ts";
import { deprecatedChoices } from "../../checks/deprecated-choices.ts";
import { Holding } from "../../splice-api-token-v1/holding.ts";
import { Amulet, LockedAmulet } from "../declarations/amulet.ts";
import { requireExpiredForAllRounds } from "./coin-expiry.ts";
import { holdingTransactionMetadata } from "./holding-metadata.ts";
import { holdingView } from "./holding-view.ts";

const ownerAndHolders = ({ amulet, lock }: LockedAmulet) => [amulet.owner, ...lock.holders];
const ownerAlone = ({ amulet }: LockedAmulet) => [amulet.owner];
const dsoAlone = ({ amulet }: LockedAmulet) => [amulet.dso];

export const lockedAmulet = implement(LockedAmulet, {
  signatories: ({ amulet, lock }) => [...lock.holders, amulet.dso, amulet.owner],
  choices: {
    ...deprecatedChoices("splice-amulet", "0.1.17", {
      LockedAmulet_Unlock: ownerAndHolders,
      LockedAmulet_OwnerExpireLock: ownerAlone,
      LockedAmulet_ExpireAmulet: dsoAlone,
    }),
    LockedAmulet_UnlockV2: {
      controllers: ownerAndHolders,
      exercise: ({ update, contract: { amulet } }) => ({
        amuletCid: update.create(Amulet, amulet),
        meta: holdingTransactionMetadata({ kind: "unlock", reason: "holders released lock" }),
      }),
    },
    LockedAmulet_OwnerExpireLockV2: {
      controllers: ownerAlone,
      exercise: ({ update, contract: { amulet, lock } }) => {
        requireDeadlineExceeded("Lock.expiresAt", update.now, lock.expiresAt);
        return {
          amuletCid: update.create(Amulet, amulet),
          meta: holdingTransactionMetadata({ kind: "unlock", reason: "lock expired" }),
        };
      },
    },
    LockedAmulet_ExpireAmuletV2: {
      controllers: dsoAlone,
      exercise: ({ update, contract: { amulet }, argument: states }) => {
        requireExpiredForAllRounds(update, amulet, states);
        const burned = amulet.amount.initialAmount;
        return {
          expireSum: { owner: amulet.owner },
          meta: holdingTransactionMetadata({ kind: "expire-dust", burned }),
        };
      },
    },
  },
  interfaces: [
    implementInterface(LockedAmulet, Holding, { view: ({ amulet, lock }) => holdingView(amulet, lock) }),
  ],
});
