import { LockedAmulet } from "@callsign/ledger";
import { expireUsedUpCoin } from "./expire-used-up-coin.ts";

export const expireLockedCoin = expireUsedUpCoin(
  "expire-locked-coin",
  LockedAmulet,
  "DsoRules_LockedAmulet_ExpireAmuletV2",
);
