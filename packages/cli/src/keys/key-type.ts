/** The types of values: how each is read from YAML, from text (variables, `--set`), and what is said if it does not fit. */
import { findBaseUrlFault } from "@callsign/api";
import type { ValueNode } from "../values/value-node.ts";
import { parseSettingDuration } from "./setting-duration.ts";

export type KeyType =
  | {
      readonly kind: "text";
      readonly pattern?: RegExp;
      readonly form?: string;
      readonly max?: number;
      readonly mayBeEmpty?: boolean;
    }
  | { readonly kind: "choice"; readonly of: readonly string[]; readonly anyCase?: boolean }
  | { readonly kind: "whole"; readonly min: number; readonly max: number }
  | { readonly kind: "number"; readonly min: number }
  | { readonly kind: "flag" }
  | { readonly kind: "url"; readonly mayBeEmpty?: boolean }
  | { readonly kind: "duration" }
  | { readonly kind: "list"; readonly of: KeyType; readonly min?: number }
  | { readonly kind: "map" }
  | { readonly kind: "anything" };

/** A value without its origins. */
export type SettingValue =
  | string
  | number
  | boolean
  | readonly SettingValue[]
  | { readonly [key: string]: SettingValue };

export type Fit =
  | { readonly ok: true; readonly value: SettingValue }
  | { readonly ok: false; readonly problem: string };

export const TEXT: KeyType = { kind: "text" };
export const FLAG: KeyType = { kind: "flag" };
export const URL_TEXT: KeyType = { kind: "url" };
export const DURATION: KeyType = { kind: "duration" };
export const WHOLE: KeyType = { kind: "whole", min: 0, max: Number.MAX_SAFE_INTEGER };
export const PORT: KeyType = { kind: "whole", min: 0, max: 65_535 };
export const TEXTS: KeyType = { kind: "list", of: TEXT };

const MAX_TEXT = 100_000;

/** A name that ids begin with. */
export function identifier(max: number, form = "letters, digits, - and _"): KeyType {
  return { kind: "text", pattern: /^[a-zA-Z0-9-_]+$/, form, max };
}

/** The allowed values, for messages (`Give …`) and the documentation. */
export function describeType(type: KeyType): string {
  switch (type.kind) {
    case "text":
      return type.form ?? "text";
    case "choice":
      return `one of ${type.of.join(", ")}`;
    case "whole":
      return type.max === Number.MAX_SAFE_INTEGER
        ? `a whole number, ${type.min} or more`
        : `a whole number, ${type.min} to ${type.max}`;
    case "number":
      return `a number, ${type.min} or more`;
    case "flag":
      return "true or false";
    case "url":
      return "an http or https URL";
    case "duration":
      return "a time, such as 30s, 5m, 48h or 10 seconds";
    case "list":
      return `a list of ${type.of.kind === "url" ? "URLs" : type.of.kind === "map" ? "maps" : "texts"}`;
    case "map":
      return "a map";
    case "anything":
      return "anything";
  }
}

export function fitValue(node: ValueNode, type: KeyType): Fit {
  if (type.kind === "anything") return { ok: true, value: plainOf(node) };
  if (type.kind === "list") return fitList(node, type);
  if (type.kind === "map") {
    return node.kind === "map" ? { ok: true, value: plainOf(node) } : fail("is no map");
  }
  if (node.kind !== "scalar") return fail(node.kind === "null" ? "has no value" : `is a ${node.kind}`);
  return fitScalar(node.value, type);
}

function fitList(node: ValueNode, type: KeyType & { readonly kind: "list" }): Fit {
  // A variable or an item on its own stands for a list of one; commas separate several.
  if (node.kind === "scalar" && node.origin.kind === "variable") {
    const texts = String(node.value)
      .split(",")
      .map((text) => text.trim());
    return fitList(
      {
        kind: "list",
        origin: node.origin,
        items: texts.map((value) => ({ kind: "scalar", value, origin: node.origin })),
      },
      type,
    );
  }
  if (node.kind !== "list") return fail("is no list");
  if (node.items.length < (type.min ?? 0)) return fail("is empty");
  const values: SettingValue[] = [];
  for (const [i, item] of node.items.entries()) {
    const fit = fitValue(item, type.of);
    if (!fit.ok) return fail(`has an item ${i + 1} that ${fit.problem}`);
    values.push(fit.value);
  }
  return { ok: true, value: values };
}

function fitScalar(given: string | number | boolean, type: KeyType): Fit {
  const text = String(given).trim();
  switch (type.kind) {
    case "text":
      return fitText(String(given), type);
    case "choice": {
      const found = type.of.find(
        (each) => each === text || (type.anyCase === true && each.toLowerCase() === text.toLowerCase()),
      );
      return found === undefined ? fail("is none of them") : { ok: true, value: found };
    }
    case "whole": {
      const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
      if (!Number.isSafeInteger(value)) return fail("is no whole number");
      return value < type.min || value > type.max ? fail("is out of range") : { ok: true, value };
    }
    case "number": {
      const value = /^-?\d{1,16}(\.\d{1,16})?(e[+-]?\d{1,2})?$/i.test(text) ? Number(text) : Number.NaN;
      if (!Number.isFinite(value)) return fail("is no number");
      return value < type.min ? fail("is out of range") : { ok: true, value };
    }
    case "flag": {
      if (/^(true|yes|on|1)$/i.test(text) && (typeof given !== "number" || given === 1))
        return { ok: true, value: true };
      return /^(false|no|off|0)$/i.test(text)
        ? { ok: true, value: false }
        : fail("is neither true nor false");
    }
    case "url":
      return text === "" && type.mayBeEmpty === true ? { ok: true, value: "" } : fitUrl(text);
    case "duration": {
      const seconds = parseSettingDuration(text);
      if (seconds === undefined) return fail("is no length of time");
      return seconds === 0 ? fail("is no length of time above zero") : { ok: true, value: seconds };
    }
    case "list":
    case "map":
    case "anything":
      return fail(`is no ${type.kind}`);
  }
}

function fitText(value: string, type: KeyType & { readonly kind: "text" }): Fit {
  if (value.trim() === "" && type.mayBeEmpty !== true) return fail("is empty");
  if (value.length > (type.max ?? MAX_TEXT)) return fail(`is longer than ${type.max ?? MAX_TEXT} characters`);
  if (type.pattern !== undefined && value !== "" && !type.pattern.test(value))
    return fail("has another form");
  return { ok: true, value };
}

function fitUrl(text: string): Fit {
  return findBaseUrlFault(text) === null
    ? { ok: true, value: text }
    : fail("is no http or https URL of a host, a port and a path alone");
}

function fail(problem: string): Fit {
  return { ok: false, problem };
}

/** The value without its origins; null is an empty text. */
function plainOf(node: ValueNode): SettingValue {
  switch (node.kind) {
    case "map":
      return Object.fromEntries([...node.entries].map(([name, each]) => [name, plainOf(each)]));
    case "list":
      return node.items.map(plainOf);
    case "scalar":
      return node.value;
    case "null":
      return "";
  }
}
