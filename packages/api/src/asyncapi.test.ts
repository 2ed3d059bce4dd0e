import type { JsonValue } from "@callsign/ledger";
import { expect, test } from "vitest";
import { ledgerApi, makeAsyncApiDocument, scanApi } from "./index.ts";

const document = makeAsyncApiDocument(ledgerApi);

/** The names of the schemas that are referred to, anywhere. */
function listReferences(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => listReferences(item));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "$ref" ? [String(inner).replace("#/components/schemas/", "")] : listReferences(inner),
  );
}

test("the ledger API's channels are those of Canton 3.5", () => {
  expect(document?.asyncapi).toBe("2.6.0");
  expect(Object.keys(document?.channels ?? {}).sort()).toEqual([
    "/v2/commands/command-completions",
    "/v2/commands/completions",
    "/v2/state/active-contracts",
    "/v2/updates",
    "/v2/updates/flats",
    "/v2/updates/trees",
  ]);
});

test("a channel takes the request of its list and gives one item of it, or the error body", () => {
  expect(document?.channels["/v2/updates"]).toMatchObject({
    publish: { message: { payload: { $ref: "#/components/schemas/GetUpdatesRequest" } } },
    subscribe: {
      message: {
        payload: {
          oneOf: [
            { $ref: "#/components/schemas/JsGetUpdatesResponse" },
            { $ref: "#/components/schemas/JsCantonError" },
          ],
        },
      },
    },
  });
});

test("every reference leads somewhere, and every schema is referred to", () => {
  const { schemas = {} } = document?.components ?? {};
  expect([...new Set(listReferences(document ?? null))].sort()).toEqual(Object.keys(schemas).sort());
});

test("an API without streams has no such document", () => {
  expect(makeAsyncApiDocument(scanApi)).toBeNull();
});
