/** Events, with their keys in the order in which the wire has them. */
import { z } from "zod";
import { jsonValue } from "../wire/json.ts";
import { int32, int64 } from "../wire/numbers.ts";
import { oneOf } from "../wire/one-of.ts";
import { orNull } from "../wire/or-null.ts";
import { base64, dateTime } from "../wire/texts.ts";
import { JsStatus, string, strings } from "./proto.ts";

const InterfaceView = z
  .object({
    interfaceId: z.string(),
    viewStatus: JsStatus,
    /** Null where the view failed. */
    viewValue: orNull(jsonValue),
    implementationPackageId: orNull(z.string()),
  })
  .meta({ id: "JsInterfaceView" });

export const CreatedEvent = z
  .object({
    offset: int64,
    nodeId: int32,
    contractId: z.string(),
    templateId: z.string(),
    contractKey: orNull(jsonValue),
    contractKeyHash: string,
    createArgument: jsonValue,
    createdEventBlob: base64.default(""),
    interfaceViews: z.array(InterfaceView).default([]),
    witnessParties: z.array(z.string()),
    signatories: z.array(z.string()),
    observers: strings,
    createdAt: dateTime,
    packageName: z.string(),
    representativePackageId: z.string(),
    acsDelta: z.boolean(),
  })
  .meta({ id: "CreatedEvent" });
export type CreatedEvent = z.output<typeof CreatedEvent>;

export const ArchivedEvent = z
  .object({
    offset: int64,
    nodeId: int32,
    contractId: z.string(),
    templateId: z.string(),
    witnessParties: z.array(z.string()),
    packageName: z.string(),
    implementedInterfaces: strings,
  })
  .meta({ id: "ArchivedEvent" });
export type ArchivedEvent = z.output<typeof ArchivedEvent>;

export const ExercisedEvent = z
  .object({
    offset: int64,
    nodeId: int32,
    contractId: z.string(),
    templateId: z.string(),
    interfaceId: orNull(z.string()),
    choice: z.string(),
    choiceArgument: jsonValue,
    actingParties: z.array(z.string()),
    consuming: z.boolean(),
    witnessParties: z.array(z.string()),
    lastDescendantNodeId: int32,
    exerciseResult: orNull(jsonValue),
    packageName: z.string(),
    implementedInterfaces: strings,
    acsDelta: z.boolean(),
  })
  .meta({ id: "ExercisedEvent" });
export type ExercisedEvent = z.output<typeof ExercisedEvent>;

/** Creates and archives in an ACS delta, creates and exercises in ledger effects. */
export const Event = oneOf({ CreatedEvent, ArchivedEvent, ExercisedEvent });
export type Event = z.output<typeof Event>;
