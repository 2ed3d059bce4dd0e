import { expect, test } from "vitest";
import { type ApiDocument, groupOperations, makeCallPath, makeCurl, makeExample } from "./api-document.ts";

const operation = (operationId: string, tag: string) => ({
  ...{ operationId, tags: [tag], summary: `Does ${operationId}`, responses: {} },
});
const document: ApiDocument = {
  info: { title: "t", version: "1", description: "d" },
  tags: [
    { name: "b", description: "" },
    { name: "a", description: "" },
    { name: "empty", description: "" },
  ],
  paths: {
    "/names/{name}": { get: operation("find", "a"), delete: operation("remove", "b") },
    "/names": { post: operation("make", "a") },
  },
  components: {
    schemas: {
      Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } },
      Move: {
        type: "object",
        properties: {
          seconds: { type: "integer", minimum: 1 },
          at: { type: "string", format: "date-time" },
          hint: { anyOf: [{ type: "null" }, { type: "string" }] },
          kind: { enum: ["lie", "lag"] },
          tags: { type: "array", items: { type: "string" } },
          isDry: { type: "boolean", default: true },
        },
      },
    },
  },
};

test("operations are grouped by tag in the document's order, and searched by method, path and summary", () => {
  const shown = (text: string) =>
    groupOperations(document, text).map(({ tag, operations }) => [
      tag.name,
      ...operations.map(({ method, path }) => `${method} ${path}`),
    ]);
  expect(shown("")).toEqual([
    ["b", "DELETE /names/{name}"],
    ["a", "GET /names/{name}", "POST /names"],
  ]);
  expect(shown(" post ")).toEqual([["a", "POST /names"]]);
  expect(shown("does remove")).toEqual([["b", "DELETE /names/{name}"]]);
  expect(shown("nothing")).toEqual([]);
});

test("an example has every field, and ends where a schema contains itself", () => {
  expect(makeExample({ $ref: "#/components/schemas/Move" }, document)).toEqual({
    ...{ seconds: 1, at: "2027-01-01T00:00:00Z", hint: "", kind: "lie", tags: [""], isDry: true },
  });
  expect(JSON.stringify(makeExample({ $ref: "#/components/schemas/Node" }, document)).length).toBeLessThan(
    200,
  );
});

test("parameters are escaped, and empty ones of the query left out", () => {
  const parameters = [
    { name: "name", in: "path" as const, schema: {} },
    { name: "after", in: "query" as const, schema: {} },
    { name: "limit", in: "query" as const, schema: {} },
  ];
  const listed = {
    method: "GET",
    path: "/names/{name}",
    operation: { ...operation("find", "a"), parameters },
  };
  expect(makeCallPath(listed, { name: "a/b?", after: "x y", limit: "" })).toBe("/names/a%2Fb%3F?after=x%20y");
});

test("a command quotes what the shell would read", () => {
  expect(makeCurl({ method: "POST", url: "http://h/a", body: `{"a":"it's"}`, isOpen: false })).toBe(
    `curl -s -X POST 'http://h/a' \\\n  -H "authorization: Bearer $TOKEN" \\\n  -H 'content-type: application/json' \\\n  -d '{"a":"it'\\''s"}'`,
  );
  expect(makeCurl({ method: "GET", url: "http://h/a", body: null, isOpen: true })).toBe(
    "curl -s 'http://h/a'",
  );
});
