/** The create and the archive of one contract. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { orNull } from "../wire/or-null.ts";
import { EventFormat } from "./event-format.ts";
import { ArchivedEvent, CreatedEvent } from "./events.ts";
import { string } from "./proto.ts";

const GetEventsByContractIdRequest = z
  .object({ contractId: string, eventFormat: orNull(EventFormat) })
  .meta({ id: "GetEventsByContractIdRequest", required: ["contractId", "eventFormat"] });

const GetEventsByContractIdResponse = z
  .object({
    created: orNull(z.object({ createdEvent: CreatedEvent, synchronizerId: z.string() })),
    archived: orNull(z.object({ archivedEvent: ArchivedEvent, synchronizerId: z.string() })),
  })
  .meta({ id: "JsGetEventsByContractIdResponse" });

export const ledgerEventQuery = defineEndpoints({ tags: ["events"] })({
  getEventsByContractId: {
    method: "POST",
    path: "/v2/events/events-by-contract-id",
    summary: "The create and, once there is one, the archive of a contract, as an ACS delta",
    description: "404 where no party that the format names may see the contract, or both events were pruned.",
    auth: "ledger:read-as",
    body: GetEventsByContractIdRequest,
    success: json(GetEventsByContractIdResponse),
    errors: [400, 401, 403, 404],
  },
});
