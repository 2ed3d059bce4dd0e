/**
 * Pieces that many messages share. The server fills in what a request leaves out, as protobuf would: `""`, `0`,
 * `false`, `[]`, `{}`, and null where a message may be absent. Only enums have no such value.
 */
import { z } from "zod";
import { jsonValue } from "../wire/json.ts";
import { mapOf } from "../wire/map-of.ts";
import { int32, int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";

export const string = z.string().default("");
export const boolean = z.boolean().default(false);
export const strings = z.array(z.string()).default([]);

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export const bytes = z
  .string()
  .refine((text) => BASE64.test(text), {
    error: ({ input }) => `The string is not a valid Base64: ${String(input).slice(0, 200)}`,
    abort: true,
  })
  .meta({ contentEncoding: "base64", pattern: BASE64.source });

const UnknownFieldSet = z.object({ fields: mapOf(jsonValue).default({}) });

const noUnknownFields = { fields: {} };

export const Duration = z
  .object({
    seconds: int64.default(0),
    nanos: int32.default(0),
    unknownFields: UnknownFieldSet.default(noUnknownFields),
  })
  .meta({ id: "Duration" });
export type Duration = z.output<typeof Duration>;

/** Canton's document calls no paths possible; the operations refuse a mask without one. */
export const FieldMask = z
  .object({
    paths: strings.meta({
      description: "At least one, written as in protobuf: `local_metadata.annotations`.",
    }),
    unknownFields: UnknownFieldSet.default(noUnknownFields),
  })
  .meta({ id: "FieldMask" });

export const ObjectMeta = z
  .object({
    /** Given back in an update, it must be what is stored; empty, the last writer wins. */
    resourceVersion: string,
    /** In an update an empty value removes its key. */
    annotations: mapOf(z.string()).default({}),
  })
  .meta({ id: "ObjectMeta" });
export type ObjectMeta = z.output<typeof ObjectMeta>;

export const TraceContext = z
  .object({ traceparent: orNull(z.string()), tracestate: orNull(z.string()) })
  .meta({ id: "TraceContext" });
export type TraceContext = z.output<typeof TraceContext>;

const ProtoAny = z.object({
  typeUrl: z.string(),
  value: z.string(),
  unknownFields: UnknownFieldSet.default(noUnknownFields),
  valueDecoded: orNull(jsonValue),
});

export const JsStatus = z
  .object({ code: int32, message: z.string(), details: z.array(ProtoAny).default([]) })
  .meta({ id: "JsStatus" });

/** A template or interface, `<package>:<module>:<entity>`, the package by its id or behind `#` by its name. */
export const identifier = z
  .string()
  .refine(isIdentifier, { error: ({ input }) => identifierProblem(input), abort: true })
  .meta({ pattern: "^[^:]*:[^:]*:[^:]*$" });

/** In a filter, where an absent identifier is an error of the operation. */
export const optionalIdentifier = z
  .string()
  .refine((text) => text === "" || isIdentifier(text), {
    error: ({ input }) => identifierProblem(input),
    abort: true,
  })
  .meta({ pattern: "^([^:]*:[^:]*:[^:]*)?$" })
  .default("");

function isIdentifier(text: string): boolean {
  return text.split(":", 4).length === 3;
}

function identifierProblem(given: unknown): string {
  const shown = String(given).slice(0, 200);
  return `Invalid identifier format (${shown}) not matching the expected format (<package>:<moduleName>:<entityName>)`;
}
