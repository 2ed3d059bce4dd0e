/** A request to the ledger API or the admin API, typed by their tables: `id` and `auth` say which operation it is for. */
import type { AuthRule, ledgerApi, participantAdminApi, TableRequest } from "@callsign/api";

export type LedgerRequest =
  | TableRequest<typeof ledgerApi.endpoints>
  | TableRequest<typeof participantAdminApi.endpoints>;

/** Requests to the operations of one rule. */
export type RequestUnder<Rule extends AuthRule> = Extract<LedgerRequest, { readonly auth: Rule }>;
