/** A setting's value as people read and type it, and as the ledger's JSON has it. */

import { isPartyId } from "../../../words/party-id.ts";
import { formatTimeSpan, parseTimeSpan } from "../../../words/time-span.ts";
import { fieldsOf } from "../ledger-json.ts";
import type { RuleSetting } from "./rule-settings.ts";

export type LedgerValue = string | { readonly microseconds: string } | null;

/** The largest `Int` of the ledger. */
const MAX_INT = 2n ** 63n - 1n;
const DECIMAL = /^\d{1,28}(\.\d{1,10})?$/;

/** Empty where there is no value. */
export function readSetting(config: unknown, { paths: [path] }: RuleSetting): string {
  let value: unknown = config;
  for (const name of path.split(".")) value = fieldsOf(value)[name];
  const { microseconds } = fieldsOf(value);
  if (typeof microseconds === "string") return formatTimeSpan(Number(microseconds) / 1e6);
  return typeof value === "string" ? withoutZeros(value) : "";
}

/** Undefined for a text that the ledger would refuse. */
export function parseSetting(typed: string, setting: RuleSetting): LedgerValue | undefined {
  const text = typed.trim();
  if (text === "") return setting.isOptional === true ? null : undefined;
  switch (setting.kind) {
    case "count":
      return /^\d{1,19}$/.test(text) && BigInt(text) <= MAX_INT
        ? orZero(String(BigInt(text)), setting)
        : undefined;
    case "usd":
      return DECIMAL.test(text) ? orZero(withoutZeros(text), setting) : undefined;
    case "length": {
      const seconds = parseTimeSpan(text);
      return seconds === null ? undefined : { microseconds: `${seconds}000000` };
    }
    case "party":
      return isPartyId(text) ? text : undefined;
  }
}

/** The configuration with the value in all places of the setting. */
export function withSetting(config: unknown, { paths }: RuleSetting, value: LedgerValue): unknown {
  return paths.reduce((changed: unknown, path) => withValue(changed, path.split("."), value), config);
}

function orZero(text: string, { allowsZero = false }: RuleSetting): string | undefined {
  return allowsZero || Number(text) !== 0 ? text : undefined;
}

/** `0.0050000000` reads `0.005`. */
function withoutZeros(text: string): string {
  return /^\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, "") : text;
}

function withValue(config: unknown, [name = "", ...rest]: readonly string[], value: LedgerValue): unknown {
  const fields = fieldsOf(config);
  return { ...fields, [name]: rest.length === 0 ? value : withValue(fields[name], rest, value) };
}
