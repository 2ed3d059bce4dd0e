// Our document of the JSON Ledger API beside Canton's, as the types of Canton's own client were generated from it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ledgerApi } from "../../packages/api/src/index.ts";
import { makeOpenApiDocument } from "../../packages/api/src/openapi.ts";

const TYPES = "@canton-network/core-ledger-client-types/dist/generated-clients/openapi-3.5.1.d.ts";
const types = readFileSync(join(import.meta.dirname, "../../node_modules", TYPES), "utf8");

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema & { readonly anyOf?: readonly Schema[] };
}

const document = makeOpenApiDocument(ledgerApi) as unknown as {
  readonly paths: Readonly<
    Record<string, Record<string, { parameters?: readonly Parameter[]; requestBody?: unknown }>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** Lines between two marks of the file. */
function section(from: string, to?: string): readonly string[] {
  const start = types.indexOf(from);
  return types.slice(start, to === undefined ? undefined : types.indexOf(to)).split("\n");
}

/** Fields by schema; true for a required one. */
function readSchemas(): ReadonlyMap<string, ReadonlyMap<string, boolean>> {
  const schemas = new Map<string, Map<string, boolean>>();
  let current: Map<string, boolean> | undefined;
  for (const line of section("export interface components")) {
    const [, name] = /^ {8}(\w+): \{$/.exec(line) ?? [];
    const [, field, mark] = /^ {12}(\w+)(\??): /.exec(line) ?? [];
    if (name !== undefined) {
      current = new Map();
      schemas.set(name, current);
    } else if (line.startsWith("        }")) current = undefined;
    else if (field !== undefined) current?.set(field, mark === "");
  }
  return schemas;
}

/** `name: type`, with `?` behind the name of an optional one, by method and path. */
function readQueries(): ReadonlyMap<string, readonly string[]> {
  const byOperation = new Map<string, string[]>();
  let [operation, isQuery] = ["", false];
  for (const line of section("export interface operations")) {
    const [, name] = /^ {4}'?([\w-]+)'?: \{$/.exec(line) ?? [];
    const [, parameter, mark, type] = /^ {16}'?([\w-]+)'?(\??): (.*);$/.exec(line) ?? [];
    if (name !== undefined) {
      operation = name;
      byOperation.set(operation, []);
    } else if (/^ {12}query\??: \{$/.test(line)) isQuery = true;
    else if (line.startsWith("            }")) isQuery = false;
    else if (isQuery && parameter !== undefined)
      byOperation.get(operation)?.push(`${parameter}${mark}: ${type}`);
  }
  const queries = new Map<string, readonly string[]>();
  let path = "";
  for (const line of section("export interface paths", "export type webhooks")) {
    const [, found] = /^ {4}'(\/[^']*)': \{$/.exec(line) ?? [];
    const [, method, name = ""] = /^ {8}(\w+): operations\['([^']+)'\];$/.exec(line) ?? [];
    if (found !== undefined) path = found;
    if (method !== undefined) queries.set(`${method} ${path}`, (byOperation.get(name) ?? []).sort());
  }
  return queries;
}

function typeOf({ schema }: Parameter): string | undefined {
  const type = schema.type ?? schema.anyOf?.find((each) => each.type !== "null")?.type;
  if (type === "array") return "string[]";
  return type === "integer" ? "number" : type;
}

/** Schemas that requests refer to, however deep. */
function requestSchemas(): readonly string[] {
  const found = new Set<string>();
  const visit = (value: unknown) => {
    for (const [, name = ""] of JSON.stringify(value ?? {}).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      visit(document.components.schemas[name]);
    }
  };
  for (const operations of Object.values(document.paths))
    for (const { requestBody } of Object.values(operations)) visit(requestBody);
  return [...found];
}

const schemas = readSchemas();

describe("the body of a request", () => {
  // A shape of which only we give the requests a name of their own ends with Input.
  const shared = requestSchemas().flatMap((name) => {
    const theirs = schemas.get(name) ?? schemas.get(name.replace(/Input$/, ""));
    return theirs === undefined ? [] : [[name, theirs] as const];
  });

  test("is found in Canton's document", () => {
    expect(shared.length).toBeGreaterThan(40);
    expect(shared.map(([name]) => name)).toEqual(
      expect.arrayContaining(["FieldMask", "JsPrepareSubmissionRequest", "JsExecuteSubmissionRequest"]),
    );
  });

  test.each(shared)(
    "%s has Canton's fields, and none that Canton's clients may leave out is required",
    (name, theirs) => {
      const { properties = {}, required = [] } = document.components.schemas[name] ?? {};
      expect(Object.keys(properties).sort()).toEqual([...theirs.keys()].sort());
      expect(required.filter((field) => theirs.get(field) !== true)).toEqual([]);
    },
  );
});

test("every operation of Canton's document has the same query parameters", () => {
  const differences: unknown[] = [];
  const queries = readQueries();
  expect(queries.get("post /v2/packages")).toEqual(["synchronizerId?: string", "vetAllPackages?: boolean"]);
  for (const [operation, theirs] of queries) {
    const [method = "", path = ""] = operation.split(" ");
    const parameters = document.paths[path]?.[method]?.parameters ?? [];
    const ours = parameters
      .filter((parameter) => parameter.in === "query")
      .map((parameter) => `${parameter.name}${parameter.required ? "" : "?"}: ${typeOf(parameter)}`)
      .sort();
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) differences.push({ operation, ours, theirs });
  }
  expect(differences).toEqual([]);
});
