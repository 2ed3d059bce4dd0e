/** One update by id or offset, in each of its forms. */
import type { TransactionFormat, UpdateFormat } from "@callsign/api";
import type { Catalogue } from "@callsign/ledger";
import { readWildcardFilter } from "../events/event-filter.ts";
import { formatVisibleTransaction, type Shape } from "../events/format-transaction.ts";
import { treeOf } from "../events/format-transaction-tree.ts";
import { formatUpdate, type UpdateView } from "../events/format-update.ts";
import type { ReaderParts } from "../reads/ledger-reader.ts";
import { readTransactionFormat, readUpdateFormat } from "../reads/update-view.ts";
import { failWith, invalidArgument, missingField } from "../requests/identifiers.ts";
import type { StoredItem } from "../store/stored-item.ts";
import type { LedgerHandlers } from "./route-parts.ts";

type TransactionView = NonNullable<UpdateView["transactions"]>;
/** The resource that was asked for, and its query. */
interface Lookup {
  readonly find: () => Promise<StoredItem | undefined>;
  readonly resource: readonly ["UPDATE_ID" | "OFFSET", string];
}

const UPDATE_ID = /^1220[0-9a-f]{64}$/;

export function updateLookupRoutes(parts: ReaderParts) {
  const { catalogue, synchronizerId } = parts;
  const byId = (id: string) => lookUpId(parts, id);
  const byOffset = (offset: number | bigint) => lookUpOffset(parts, offset);
  const getUpdate = async (lookup: Lookup, view: UpdateView) => {
    const [update] = formatUpdate(parts, view, await getItem(lookup));
    return update ?? notFound(lookup);
  };
  const getTransaction = async (lookup: Lookup, view: TransactionView) => {
    const shown = { catalogue, synchronizerId: synchronizerId(), ...view };
    return formatVisibleTransaction(await getItem(lookup), shown) ?? notFound(lookup);
  };
  const getTree = async (lookup: Lookup, parties: readonly string[]) => {
    const transaction = await getTransaction(lookup, viewOf(parties, "ledger-effects", catalogue));
    return { transaction: treeOf(transaction) };
  };
  return {
    getUpdateById: ({ body }) => getUpdate(byId(body.updateId), readFormat(body, catalogue)),
    getUpdateByOffset: ({ body }) => getUpdate(byOffset(body.offset), readFormat(body, catalogue)),
    getTransactionById: async ({ body }) => ({
      transaction: await getTransaction(byId(body.updateId), readTransactionView(body, catalogue)),
    }),
    getTransactionByOffset: async ({ body }) => ({
      transaction: await getTransaction(byOffset(body.offset), readTransactionView(body, catalogue)),
    }),
    getTransactionTreeById: ({ params, query }) => getTree(byId(params["update-id"]), query.parties),
    getTransactionTreeByOffset: ({ params, query }) => getTree(byOffset(params.offset), query.parties),
  } satisfies Partial<LedgerHandlers>;
}

function lookUpId({ ledger }: ReaderParts, id: string): Lookup {
  if (id === "") throw missingField("update_id");
  if (!UPDATE_ID.test(id)) {
    const given = id.slice(0, 100);
    throw invalidArgument(`"${given}" is no update id: 1220 and 64 lower-case hexadecimal digits`);
  }
  return { find: () => ledger.findItemById(id), resource: ["UPDATE_ID", id] };
}

function lookUpOffset({ ledger }: ReaderParts, given: number | bigint): Lookup {
  if (given <= 0) failWith("NON_POSITIVE_OFFSET", `Offset ${given} in offset is not positive`);
  const find = async () => (given > ledger.end ? undefined : ledger.findItem(Number(given)));
  return { find, resource: ["OFFSET", String(given)] };
}

function readFormat(
  { updateFormat }: { readonly updateFormat: UpdateFormat | null },
  catalogue: Catalogue,
): UpdateView {
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

async function getItem(lookup: Lookup): Promise<StoredItem> {
  return (await lookup.find()) ?? notFound(lookup);
}

function notFound({ resource }: Lookup): never {
  const cause = "Update not found, or not visible.";
  return failWith("UPDATE_NOT_FOUND", cause, { resources: [resource] });
}
