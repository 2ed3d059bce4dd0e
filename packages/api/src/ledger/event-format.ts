/** The format of a read: its parties, templates, interfaces and shape. */
import { z } from "zod";
import { mapOf } from "../wire/map-of.ts";
import { nothing, oneOf, value } from "../wire/one-of.ts";
import { orNull } from "../wire/or-null.ts";
import { boolean, optionalIdentifier, strings } from "./proto.ts";

const IdentifierFilter = oneOf({
  WildcardFilter: value(z.object({ includeCreatedEventBlob: boolean })),
  TemplateFilter: value(z.object({ templateId: optionalIdentifier, includeCreatedEventBlob: boolean })),
  InterfaceFilter: value(
    z.object({
      interfaceId: optionalIdentifier,
      includeInterfaceView: boolean,
      includeCreatedEventBlob: boolean,
    }),
  ),
  Empty: nothing,
});

/** No filters, or only empty ones: everything, without blobs. */
export const Filters = z
  .object({
    cumulative: z.array(z.object({ identifierFilter: IdentifierFilter.default({ Empty: {} }) })).default([]),
  })
  .meta({ id: "Filters" });
export type Filters = z.output<typeof Filters>;

const parties = { filtersByParty: mapOf(Filters).default({}), filtersForAnyParty: orNull(Filters) };

export const EventFormat = z.object({ ...parties, verbose: boolean }).meta({ id: "EventFormat" });
export type EventFormat = z.output<typeof EventFormat>;

/** The older form, in requests that also carry `verbose`. */
export const TransactionFilter = z.object(parties).meta({ id: "TransactionFilter" });

export const TransactionFormat = z
  .object({
    eventFormat: orNull(EventFormat),
    transactionShape: z.enum([
      "TRANSACTION_SHAPE_ACS_DELTA",
      "TRANSACTION_SHAPE_LEDGER_EFFECTS",
      "TRANSACTION_SHAPE_UNSPECIFIED",
    ]),
  })
  .meta({ id: "TransactionFormat" });
export type TransactionFormat = z.output<typeof TransactionFormat>;

export const UpdateFormat = z
  .object({
    includeTransactions: orNull(TransactionFormat),
    includeReassignments: orNull(EventFormat),
    includeTopologyEvents: orNull(
      z.object({ includeParticipantAuthorizationEvents: orNull(z.object({ parties: strings })) }),
    ),
  })
  .meta({ id: "UpdateFormat" });
export type UpdateFormat = z.output<typeof UpdateFormat>;
