/** The parts of a choice that a registry knows and its caller does not: values by key, and contracts to disclose. */
import { z } from "zod";
import { jsonObject } from "../wire/json.ts";
import { mapOf } from "../wire/map-of.ts";
import { orNull } from "../wire/or-null.ts";
import { base64, dateTime } from "../wire/texts.ts";

/** The first four fields are those of a submission's `disclosedContracts`. */
const RegistryDisclosedContract = z
  .object({
    templateId: z.string(),
    contractId: z.string(),
    createdEventBlob: base64,
    synchronizerId: z.string(),
    /** For people who look for a fault; null if the caller excludes them. */
    debugPackageName: orNull(z.string()),
    debugPayload: orNull(jsonObject),
    debugCreatedAt: orNull(dateTime),
  })
  .meta({ id: "RegistryDisclosedContract" });
export type RegistryDisclosedContract = z.output<typeof RegistryDisclosedContract>;

export const ChoiceContext = z
  .object({
    /** The `context` of the choice's `extraArgs`, as it stands: `{"values": {…}}`. */
    choiceContextData: jsonObject,
    disclosedContracts: z.array(RegistryDisclosedContract),
  })
  .meta({ id: "ChoiceContext" });
export type ChoiceContext = z.output<typeof ChoiceContext>;

export const ChoiceContextRequest = z
  .object({
    /** Taken and ignored, as in Splice. */
    meta: orNull(mapOf(z.string())),
    excludeDebugFields: orNull(z.boolean()),
  })
  .meta({ id: "GetChoiceContextRequest" });

export const FactoryRequest = z
  .object({
    /** The argument of the factory's choice, in the JSON Ledger API's form; its context is left empty. */
    choiceArguments: jsonObject,
    excludeDebugFields: orNull(z.boolean()),
  })
  .meta({ id: "GetFactoryRequest" });
