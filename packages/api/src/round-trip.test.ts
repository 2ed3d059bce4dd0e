// Every operation of every table, from a client through a real HTTP server and back.

import type { JsonValue } from "@callsign/ledger";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apis } from "../testing/apis.ts";
import { SchemaWalk, withoutNulls } from "../testing/schema-walk.ts";
import { serveTable, type TableServer } from "../testing/table-server.ts";
import { createClient, makeOpenApiDocument } from "./index.ts";
import { check } from "./wire/check.ts";

type Calls = Readonly<Record<string, (request: object) => Promise<unknown>>>;

describe.each(apis)("$api.name", ({ api, examples }) => {
  const document = makeOpenApiDocument(api);
  const walk = new SchemaWalk(document);
  const endpoints = Object.values(api.endpoints);
  const ids = endpoints.map(({ id }) => id);
  const answers = new Map<string, unknown>();
  let server: TableServer;
  let client: Calls;

  beforeAll(async () => {
    server = await serveTable(api, ({ id }) => answers.get(id));
    client = createClient(api, { fetch, baseUrl: server.baseUrl, token: () => "a-token" }) as Calls;
  });
  afterAll(() => server.close());

  /** The client's result for that answer. */
  async function call(id: string, request: object, answer: unknown): Promise<unknown> {
    answers.set(id, answer);
    return client[id]?.(request);
  }

  function exampleOf(id: string) {
    const example = examples[id];
    if (example === undefined) throw new Error(`${id} has no example`);
    return example;
  }

  test.each(ids)("%s: what was sent arrives, what was answered comes back", async (id) => {
    const { request, received, response } = exampleOf(id);
    expect(await call(id, request, response)).toEqual(response);
    const last = server.arrived.at(-1);
    expect(last?.id).toBe(id);
    expect(last?.request).toEqual(received);
    expect(last?.headers.authorization).toBe("Bearer a-token");
  });

  const jsonIds = endpoints.flatMap(({ id, success }) => (success.kind === "json" ? [id] : []));

  /** The schema of a 200, as the document has it. */
  function responseSchema(id: string): JsonValue | undefined {
    const endpoint = api.endpoints[id];
    const operation = document.paths[endpoint?.path ?? ""]?.[endpoint?.method.toLowerCase() ?? ""];
    return JSON.parse(JSON.stringify(operation?.responses["200"])).content["application/json"].schema;
  }

  test.each(jsonIds)("%s: fields that nobody knows yet are overlooked", async (id) => {
    const { request, response } = exampleOf(id);
    const extended = walk.extend(response as JsonValue, responseSchema(id));
    expect(extended).not.toEqual(response);
    expect(await call(id, request, extended)).toEqual(response);
  });

  test.each(jsonIds)("%s: a missing key means the same as null", async (id) => {
    const { request, response } = exampleOf(id);
    expect(await call(id, request, withoutNulls(response as JsonValue))).toEqual(response);
  });

  test.each(jsonIds)("%s: whatever the document describes comes back as it is", async (id) => {
    const { request } = exampleOf(id);
    await fc.assert(
      fc.asyncProperty(walk.arbitrary(responseSchema(id)), async (response) => {
        expect(await call(id, request, response)).toEqual(response);
      }),
      { numRuns: 10 },
    );
  });

  // A browser's request, which our client makes, has no body in a GET.
  const bodyIds = endpoints.flatMap(({ id, body, method }) =>
    body === undefined || method === "GET" ? [] : [id],
  );

  test.each(bodyIds)("%s: whatever body the document describes is taken", async (id) => {
    const { request, response } = exampleOf(id);
    const endpoint = api.endpoints[id];
    const operation = document.paths[endpoint?.path ?? ""]?.[endpoint?.method.toLowerCase() ?? ""];
    const schema = JSON.parse(JSON.stringify(operation?.["requestBody"])).content["application/json"].schema;
    await fc.assert(
      fc.asyncProperty(walk.arbitrary(schema), async (body) => {
        await call(id, { ...request, body }, response);
        const seen = server.arrived.at(-1)?.request.body;
        // Reading it again changes nothing: defaults are filled in once, and nothing known is lost.
        expect(endpoint?.body && check(endpoint.body, seen)).toEqual({ ok: true, value: seen });
        expect(seen).toMatchObject(body as object);
      }),
      { numRuns: 10 },
    );
  });
});
