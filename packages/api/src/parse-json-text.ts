import type { JsonValue } from "@callsign/ledger";

/** Undefined if the text is not JSON. */
export function parseJsonText(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
