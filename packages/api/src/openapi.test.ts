import type { JsonValue } from "@callsign/ledger";
import { describe, expect, test } from "vitest";
import { apis } from "../testing/apis.ts";
import type { Endpoint } from "./endpoint.ts";
import {
  ledgerApi,
  listPathParameters,
  makeOpenApiDocument,
  type OpenApiOperation,
  renderOpenApiPage,
  scanApi,
} from "./index.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: { readonly [key: string]: JsonValue };
}

function parametersOf(operation: OpenApiOperation): readonly Parameter[] {
  return (operation["parameters"] ?? []) as unknown as readonly Parameter[];
}

/** Every value under a key, anywhere. */
function listUnder(key: string, value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => listUnder(key, item));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === key ? [inner, ...listUnder(key, inner)] : listUnder(key, inner),
  );
}

describe.each(apis.map(({ api }) => api))("the document of $name", (api) => {
  const document = makeOpenApiDocument(api);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

  test("lists exactly the operations of the table", () => {
    expect(
      operations.map(({ path, method, operation }) => [operation.operationId, method, path]).sort(),
    ).toEqual(
      Object.values(api.endpoints)
        .map(({ id, method, path }) => [id, method.toLowerCase(), path])
        .sort(),
    );
  });

  test("is an OpenAPI 3.1 document of the table's title and version", () => {
    expect(document.openapi).toBe("3.1.0");
    expect(document.info).toMatchObject({ title: api.title, version: api.version });
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  test("is the same each time, byte for byte", () => {
    expect(JSON.stringify(makeOpenApiDocument(api))).toBe(JSON.stringify(document));
  });

  test("has no reference that leads nowhere, and no component that nothing refers to", () => {
    const references = new Set(listUnder("$ref", document));
    const names = Object.keys(document.components["schemas"] ?? {});
    expect([...references].sort()).toEqual(names.map((name) => `#/components/schemas/${name}`).sort());
    expect(JSON.stringify(document)).not.toMatch(/\$defs|"\$schema"|"additionalProperties":false/);
  });

  test.each(operations)("$operation.operationId is complete", ({ path, operation }) => {
    const parameters = parametersOf(operation);
    const inPath = parameters.filter((parameter) => parameter.in === "path");
    expect(inPath.map(({ name }) => name)).toEqual(listPathParameters(path));
    expect(inPath.every(({ required }) => required)).toBe(true);
    const keys = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { schema } of parameters)
      expect(["string", "integer", "boolean", "array"]).toContain(schema["type"]);

    expect(operation.summary).not.toBe("");
    const declared = document.tags.map(({ name }) => name);
    for (const tag of operation.tags) expect(declared).toContain(tag);
    const successes = Object.keys(operation.responses).filter((status) => status.startsWith("2"));
    expect(successes).toEqual([operation.operationId === "castVote" ? "201" : "200"]);
    for (const [status, response] of Object.entries(operation.responses)) {
      expect(status).toMatch(/^[1-5]\d\d$/);
      expect(response["description"]).toMatch(/^(?!Status)./);
    }
  });

  test("its page shows every operation and every schema, and fetches and runs nothing", () => {
    const page = renderOpenApiPage(document);
    for (const { path, operation } of operations) {
      expect(page).toContain(`<code>${path}</code>`);
      expect(page).toContain(operation.summary.replaceAll("&", "&amp;"));
    }
    for (const name of Object.keys(document.components["schemas"] ?? {})) {
      expect(page).toContain(`<details id="${name}">`);
    }
    expect(page).not.toMatch(/<script|<link|<img|src=|https?:\/\/|@import|javascript:/i);
  });
});

describe("details of documents", () => {
  const scan = makeOpenApiDocument(scanApi);
  const ledger = makeOpenApiDocument(ledgerApi);

  test("operations that the table deprecates, and only they, are marked deprecated", () => {
    const marked = Object.values(scan.paths)
      .flatMap((methods) => Object.values(methods))
      .filter((operation) => operation["deprecated"] === true);
    const deprecated = Object.values<Endpoint>(scanApi.endpoints).filter((each) => each.deprecated === true);
    expect(marked.map((operation) => operation["operationId"])).toEqual(deprecated.map(({ id }) => id));
    expect(deprecated.map(({ path }) => path)).toContain("/v0/rewards-collected");
  });

  test("a page size is optional, 1 to 1000, and says its default", () => {
    const [, pageSize] = parametersOf(scan.paths["/v0/ans-entries"]?.["get"] as OpenApiOperation);
    expect(pageSize).toEqual({
      name: "page_size",
      in: "query",
      required: false,
      schema: { type: "integer", format: "int32", minimum: 1, maximum: 1000, default: 100 },
    });
  });

  test("a round is an optional int64", () => {
    expect(parametersOf(scan.paths["/v0/rewards-collected"]?.["get"] as OpenApiOperation)).toEqual([
      { name: "round", in: "query", required: false, schema: { type: "integer", format: "int64" } },
    ]);
  });

  test("a repeated parameter is an array", () => {
    const parameters = parametersOf(ledger.paths["/v2/parties/{party}"]?.["get"] as OpenApiOperation);
    expect(parameters.find(({ name }) => name === "parties")?.schema).toMatchObject({ type: "array" });
  });

  test("a response has every key, and what may be absent is null", () => {
    expect(scan.components["schemas"]?.["AnsEntry"]).toMatchObject({
      required: ["contract_id", "user", "name", "url", "description", "expires_at"],
      properties: { contract_id: { type: ["string", "null"] }, user: { type: "string" } },
    });
  });

  test("what the seed requires of requests is required, what has a default is not", () => {
    const schemas = ledger.components["schemas"];
    expect(schemas?.["UpdatePartyDetailsRequest"]).toMatchObject({
      required: ["partyDetails", "updateMask"],
    });
    expect(schemas?.["GetEventsByContractIdRequest"]).toMatchObject({
      required: ["contractId", "eventFormat"],
    });
    expect(schemas?.["PartyDetails"]).toHaveProperty("required");
    expect(schemas?.["PartyDetailsInput"]).not.toHaveProperty("required");
  });

  test("scan needs no token, the ledger API needs one except for version and health", () => {
    const security = (paths: typeof scan.paths) =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.values(methods).flatMap((operation) =>
          (operation["security"] as readonly JsonValue[]).length === 0 ? [path] : [],
        ),
      );
    expect(security(scan.paths)).toHaveLength(Object.keys(scanApi.endpoints).length);
    expect(security(ledger.paths)).toEqual(["/v2/version", "/livez", "/readyz"]);
  });

  test("text in a document cannot become markup in its page", () => {
    const page = renderOpenApiPage({ ...scan, info: { ...scan.info, title: '<b a="&">' } });
    expect(page).toContain("<h1>&lt;b a=&quot;&amp;&quot;&gt; ");
  });
});
