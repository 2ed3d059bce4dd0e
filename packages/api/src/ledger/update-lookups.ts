/** One update, by its id or by its offset. 404 where there is none, or nothing of it is the reader's. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { TransactionFormat, UpdateFormat } from "./event-format.ts";
import { string, strings } from "./proto.ts";
import { Transaction } from "./transaction.ts";
import { FoundUpdate } from "./updates.ts";

const updateFormat = orNull(UpdateFormat);
/** Either the parties, or the format. */
const transactionOf = { requestingParties: strings, transactionFormat: orNull(TransactionFormat) };

const answersTransaction = json(
  z.object({ transaction: Transaction }).meta({ id: "JsGetTransactionResponse" }),
);

export const ledgerUpdateLookups = defineEndpoints({
  method: "POST",
  tags: ["updates"],
  auth: "ledger:read-as",
  errors: [400, 401, 403, 404],
})({
  getUpdateById: {
    path: "/v2/updates/update-by-id",
    summary: "The update of an id",
    body: z
      .object({ updateId: string, updateFormat })
      .meta({ id: "GetUpdateByIdRequest", required: ["updateId", "updateFormat"] }),
    success: json(FoundUpdate),
  },
  getUpdateByOffset: {
    path: "/v2/updates/update-by-offset",
    summary: "The update at an offset",
    body: z
      .object({ offset: int64.default(0), updateFormat })
      .meta({ id: "GetUpdateByOffsetRequest", required: ["offset", "updateFormat"] }),
    success: json(FoundUpdate),
  },
  getTransactionById: {
    path: "/v2/updates/transaction-by-id",
    summary: "The transaction of an id",
    description: "Use /v2/updates/update-by-id.",
    deprecated: true,
    body: z
      .object({ updateId: string, ...transactionOf })
      .meta({ id: "GetTransactionByIdRequest", required: ["updateId"] }),
    success: answersTransaction,
  },
  getTransactionByOffset: {
    path: "/v2/updates/transaction-by-offset",
    summary: "The transaction at an offset",
    description: "Use /v2/updates/update-by-offset.",
    deprecated: true,
    body: z
      .object({ offset: int64.default(0), ...transactionOf })
      .meta({ id: "GetTransactionByOffsetRequest", required: ["offset"] }),
    success: answersTransaction,
  },
});
