/** Operations that answer transaction trees; newer clients ask for ledger effects instead. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int64Parameter } from "../wire/numbers.ts";
import { Commands } from "./commands.ts";
import { listQuery } from "./list-query.ts";
import { strings } from "./proto.ts";
import { TransactionTree, TreeUpdate } from "./transaction-tree.ts";
import { GetUpdatesRequest } from "./updates.ts";

const byParties = {
  auth: "ledger:read-as",
  query: z.object({ parties: strings }),
  success: json(z.object({ transaction: TransactionTree }).meta({ id: "JsGetTransactionTreeResponse" })),
  errors: [400, 401, 403, 404],
} as const;

export const ledgerTransactionTrees = defineEndpoints({ tags: ["updates"], deprecated: true })({
  submitAndWaitForTransactionTree: {
    method: "POST",
    path: "/v2/commands/submit-and-wait-for-transaction-tree",
    tags: ["commands"],
    summary: "Submits commands, waits for their completion, and answers the transaction as a tree",
    description: "Use submit-and-wait-for-transaction with TRANSACTION_SHAPE_LEDGER_EFFECTS.",
    auth: "ledger:act-as",
    body: Commands,
    success: json(z.object({ transactionTree: TransactionTree })),
    errors: [400, 401, 403, 404, 409, 429, 500, 503, 504],
  },
  listTransactionTrees: {
    method: "POST",
    path: "/v2/updates/trees",
    summary: "Transactions after an offset, as trees",
    description: "Use /v2/updates with TRANSACTION_SHAPE_LEDGER_EFFECTS.",
    auth: "ledger:read-as",
    query: listQuery,
    body: GetUpdatesRequest,
    success: json(z.array(TreeUpdate)),
    errors: [400, 401, 403, 404, 413],
    streamItem: TreeUpdate,
  },
  getTransactionTreeById: {
    method: "GET",
    path: "/v2/updates/transaction-tree-by-id/{update-id}",
    summary: "The transaction of an id, as a tree",
    description: "Use /v2/updates/update-by-id.",
    params: z.object({ "update-id": z.string() }),
    ...byParties,
  },
  getTransactionTreeByOffset: {
    method: "GET",
    path: "/v2/updates/transaction-tree-by-offset/{offset}",
    summary: "The transaction at an offset, as a tree",
    description: "Use /v2/updates/update-by-offset.",
    params: z.object({ offset: int64Parameter }),
    ...byParties,
  },
});
