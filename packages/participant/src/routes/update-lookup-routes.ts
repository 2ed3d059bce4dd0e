/** One update by id or offset, in each of its forms. */
import type { ledgerApi, TransactionFormat, UpdateFormat } from "@callsign/api";
import { type Catalogue, ledgerError } from "@callsign/ledger";
import type { Handlers } from "@callsign/node";
import type { LedgerCaller } from "../access/caller.ts";
import { readWildcardFilter } from "../events/event-filter.ts";
import { formatVisibleTransaction, type Shape } from "../events/format-transaction.ts";
import { treeOf } from "../events/format-transaction-tree.ts";
import { formatUpdate, type UpdateView } from "../events/format-update.ts";
import type { CollectUpdatesParts } from "../reads/collect-updates.ts";
import { readTransactionFormat, readUpdateFormat } from "../reads/update-view.ts";
import { failWith, invalidArgument, missingField } from "../requests/identifiers.ts";
import type { StoredItem } from "../store/ledger-store.ts";

type Routes = Pick<
  Handlers<typeof ledgerApi.endpoints, LedgerCaller>,
  | "getUpdateById"
  | "getUpdateByOffset"
  | "getTransactionById"
  | "getTransactionByOffset"
  | "getTransactionTreeById"
  | "getTransactionTreeByOffset"
>;

type TransactionView = NonNullable<UpdateView["transactions"]>;
/** The resource that was asked for, and its query. */
interface Lookup {
  readonly find: () => Promise<StoredItem | undefined>;
  readonly resource: readonly ["UPDATE_ID" | "OFFSET", string];
}

const UPDATE_ID = /^1220[0-9a-f]{64}$/;

export function updateLookupRoutes(parts: CollectUpdatesParts): Routes {
  const { catalogue } = parts;
  const byId = (id: string) => lookUpId(parts, id);
  const byOffset = (offset: number | bigint) => lookUpOffset(parts, offset);
  return {
    getUpdateById: async ({ body }) => {
      const lookup = byId(body.updateId);
      return findUpdate(parts, lookup, readFormat(body.updateFormat, catalogue));
    },
    getUpdateByOffset: async ({ body }) => {
      const lookup = byOffset(body.offset);
      return findUpdate(parts, lookup, readFormat(body.updateFormat, catalogue));
    },
    getTransactionById: async ({ body }) => {
      const lookup = byId(body.updateId);
      return { transaction: await findTransaction(parts, lookup, readTransactionView(body, catalogue)) };
    },
    getTransactionByOffset: async ({ body }) => {
      const lookup = byOffset(body.offset);
      return { transaction: await findTransaction(parts, lookup, readTransactionView(body, catalogue)) };
    },
    getTransactionTreeById: async ({ params, query }) => {
      const lookup = byId(params["update-id"]);
      const view = viewOf(query.parties, "ledger-effects", catalogue);
      return { transaction: treeOf(await findTransaction(parts, lookup, view)) };
    },
    getTransactionTreeByOffset: async ({ params, query }) => {
      const lookup = byOffset(params.offset);
      const view = viewOf(query.parties, "ledger-effects", catalogue);
      return { transaction: treeOf(await findTransaction(parts, lookup, view)) };
    },
  };
}

function lookUpId({ ledger }: CollectUpdatesParts, id: string): Lookup {
  if (id === "") throw missingField("update_id");
  if (!UPDATE_ID.test(id)) {
    const given = id.slice(0, 100);
    throw invalidArgument(`"${given}" is no update id: 1220 and 64 lower-case hexadecimal digits`);
  }
  return { find: () => ledger.findItemById(id), resource: ["UPDATE_ID", id] };
}

function lookUpOffset({ ledger }: CollectUpdatesParts, given: number | bigint): Lookup {
  if (given <= 0) failWith(ledgerError("NON_POSITIVE_OFFSET", `Offset ${given} in offset is not positive`));
  const find = async () => (given > ledger.end ? undefined : ledger.findItem(Number(given)));
  return { find, resource: ["OFFSET", String(given)] };
}

function readFormat(updateFormat: UpdateFormat | null, catalogue: Catalogue): UpdateView {
  if (updateFormat === null) throw missingField("update_format");
  return readUpdateFormat(updateFormat, catalogue);
}

/** The older form, parties, or the newer one, a format, but not both. */
function readTransactionView(
  given: {
    readonly requestingParties: readonly string[];
    readonly transactionFormat: TransactionFormat | null;
  },
  catalogue: Catalogue,
): TransactionView {
  const { requestingParties, transactionFormat } = given;
  if (transactionFormat === null) {
    if (requestingParties.length > 0) return viewOf(requestingParties, "acs-delta", catalogue);
    throw invalidArgument("Either transaction_format or requesting_parties must be set");
  }
  if (requestingParties.length > 0) {
    const reason =
      "Both transaction_format and requesting_parties are set: please use transaction_format only";
    throw invalidArgument(reason);
  }
  return readTransactionFormat(transactionFormat, catalogue);
}

function viewOf(parties: readonly string[], shape: Shape, catalogue: Catalogue): TransactionView {
  if (parties.length === 0) throw missingField("requesting_parties");
  return { filter: readWildcardFilter(parties, catalogue), shape };
}

async function findUpdate(parts: CollectUpdatesParts, { find, resource }: Lookup, view: UpdateView) {
  const item = (await find()) ?? notFound(resource);
  const [update] = formatUpdate(parts, view, item);
  return update ?? notFound(resource);
}

async function findTransaction(
  parts: CollectUpdatesParts,
  { find, resource }: Lookup,
  view: TransactionView,
) {
  const { catalogue, synchronizerId } = parts;
  const item = (await find()) ?? notFound(resource);
  const transaction = formatVisibleTransaction(item, {
    catalogue,
    synchronizerId: synchronizerId(),
    ...view,
  });
  return transaction ?? notFound(resource);
}

function notFound(resource: Lookup["resource"]): never {
  const cause = "Update not found, or not visible.";
  return failWith(ledgerError("UPDATE_NOT_FOUND", cause, { resources: [resource] }));
}
