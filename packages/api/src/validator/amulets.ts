/** The caller's coins, one by one. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { ContractWithState } from "../splice/contract.ts";
import { int64 } from "../wire/numbers.ts";
import { fixedDecimal } from "../wire/texts.ts";

const AmuletPosition = z
  .object({
    contract: ContractWithState,
    /** The latest open round. */
    round: int64,
    accrued_holding_fee: fixedDecimal,
    /** The whole amount: a payment takes no holding fee. */
    effective_amount: fixedDecimal,
  })
  .meta({ id: "AmuletPosition" });

export const AmuletList = z
  .object({ amulets: z.array(AmuletPosition), locked_amulets: z.array(AmuletPosition) })
  .meta({ id: "ListResponse" });
export type AmuletList = z.output<typeof AmuletList>;

export const validatorAmulets = defineEndpoints({ tags: ["wallet"], auth: "wallet-user" })({
  list: {
    method: "GET",
    path: "/v0/wallet/amulets",
    summary: "The caller's coins, those that can be spent and those that are locked; at most 1,000 of each",
    success: json(AmuletList),
    errors: [401, 403, 404, 500, 502],
  },
});
