import { Amulet } from "@callsign/ledger";
import { expireUsedUpCoin } from "./expire-used-up-coin.ts";

export const expireCoin = expireUsedUpCoin("expire-coin", Amulet, "DsoRules_Amulet_ExpireV2");
