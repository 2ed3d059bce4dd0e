/** The agenda's rows that follow from active contracts. Which of them wait for the SVs follows from the log as well. */
import { VoteRequest } from "@callsign/ledger";
import { type DerivedTable, keptContractId } from "@callsign/synchronizer";

const TEMPLATE = "(select template from sv_kind where number = kind)";

export const AGENDA_DERIVED: readonly DerivedTable[] = [
  {
    table: "sv_agenda_row",
    contractId: keptContractId(),
    key: ["contract_key", keptContractId()],
    // The end of a vote depends on the number of SVs at its beginning.
    columns: [
      ...[TEMPLATE, "created_at", "reference_key", "coin_key", "confirmation_key"],
      `iif(${TEMPLATE} = '${VoteRequest.id}', null, due)`,
    ],
    columnsIfKnown: ["name_key", "owner_key", "round"],
    walk: { by: "created" },
  },
  {
    table: "sv_coupon",
    key: ["contract_key", "contract_id"],
    columns: ["round", "kind", "amount"],
    walk: { by: "created" },
  },
  // Coins that last for long have no row yet.
  {
    table: "sv_coin",
    key: ["content_key"],
    columns: ["contract_id", "expiry_round"],
    optional: true,
    walk: { by: "content_key" },
  },
  {
    table: "sv_round",
    key: ["number"],
    columns: ["contract_id", "opens_at", "closes_at", "tick"],
    walk: { by: "number" },
  },
];
