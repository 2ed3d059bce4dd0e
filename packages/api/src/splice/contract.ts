/** Contracts as Splice's applications hand them around. Payloads are in scan's JSON dialect. */
import { z } from "zod";
import { jsonObject } from "../wire/json.ts";
import { orNull } from "../wire/or-null.ts";
import { base64, dateTime } from "../wire/texts.ts";

export const Contract = z
  .object({
    /** `<package id>:<module>:<entity>` */
    template_id: z.string(),
    contract_id: z.string(),
    payload: jsonObject,
    created_event_blob: base64,
    created_at: dateTime,
  })
  .meta({ id: "Contract" });
export type WireContract = z.output<typeof Contract>;

/** `domain_id` is null only while a contract moves between synchronizers. */
export const ContractWithState = z
  .object({ contract: Contract, domain_id: orNull(z.string()) })
  .meta({ id: "ContractWithState" });
export type ContractWithState = z.output<typeof ContractWithState>;

/** `contract` is null when the caller said that it has this very contract. */
export const MaybeCachedContractWithState = z
  .object({ contract: orNull(Contract), domain_id: orNull(z.string()) })
  .meta({ id: "MaybeCachedContractWithState" });
export type MaybeCachedContractWithState = z.output<typeof MaybeCachedContractWithState>;
