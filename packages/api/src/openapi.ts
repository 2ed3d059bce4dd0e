/** One OpenAPI 3.1 document an API, read from its table. The same table gives the same document, byte for byte. */
import type { JsonValue } from "@callsign/ledger";
import type { z } from "zod";
import { authRules } from "./auth-rule.ts";
import type { Api, Endpoint } from "./endpoint.ts";
import { type JsonSchema, parameterSchema, SchemaComponents } from "./openapi-schemas.ts";

type JsonObject = { readonly [key: string]: JsonValue };

export interface OpenApiDocument extends JsonObject {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: OpenApiOperation } };
  readonly components: { readonly [section: string]: JsonObject };
}

export interface OpenApiOperation extends JsonObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly responses: { readonly [status: string]: JsonObject };
}

export function makeOpenApiDocument(api: Api): OpenApiDocument {
  const components = new SchemaComponents();
  const errorContent = contentOfErrors(api, components);
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const endpoint of Object.values<Endpoint>(api.endpoints)) {
    const operations = paths[endpoint.path] ?? {};
    paths[endpoint.path] = operations;
    operations[endpoint.method.toLowerCase()] = makeOperation(endpoint, components, errorContent);
  }
  return components.resolve({
    openapi: "3.1.0",
    info: { title: api.title, version: api.version, description: api.description },
    servers: [{ url: api.basePath === "" ? "/" : api.basePath }],
    tags: Object.entries(api.tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: components.list(),
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
    },
  });
}

function makeOperation(
  endpoint: Endpoint,
  components: SchemaComponents,
  errorContent: JsonObject,
): OpenApiOperation {
  const rule = authRules[endpoint.auth];
  const parameters = [...parametersOf("path", endpoint.params), ...parametersOf("query", endpoint.query)];
  return {
    operationId: endpoint.id,
    tags: [...endpoint.tags],
    summary: endpoint.summary,
    description: endpoint.description === undefined ? rule : `${endpoint.description}\n\n${rule}`,
    ...(endpoint.deprecated === true ? { deprecated: true } : {}),
    security: isOpen(endpoint) ? [] : [{ bearer: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined ? {} : { requestBody: bodyOf(endpoint, endpoint.body, components) }),
    responses: {
      [String(endpoint.successStatus ?? 200)]: successOf(endpoint, components),
      ...Object.fromEntries(
        endpoint.errors.map((status) => [
          String(status),
          {
            description: reasonPhrase(status),
            content: contentOf(endpoint, status, components, errorContent),
          },
        ]),
      ),
    },
    "x-auth-rule": endpoint.auth,
    ...(endpoint.streamItem === undefined ? {} : { "x-websocket": true }),
  };
}

function isOpen(endpoint: Endpoint): boolean {
  return ["none", "loopback", "ledger:none"].includes(endpoint.auth);
}

function parametersOf(place: "path" | "query", schema: z.ZodObject | undefined): JsonObject[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: !(field as z.ZodType).safeParse(undefined).success,
    schema: parameterSchema(field as z.ZodType),
  }));
}

function bodyOf(endpoint: Endpoint, body: z.ZodType, components: SchemaComponents): JsonObject {
  const schema = components.add(body, "request");
  return { required: endpoint.bodyMayBeAbsent !== true, content: { "application/json": { schema } } };
}

function successOf({ success, hasEvents }: Endpoint, components: SchemaComponents): JsonObject {
  switch (success.kind) {
    case "json": {
      const events = hasEvents === true ? { "text/event-stream": { schema: { type: "string" } } } : {};
      return json(components.add(success.schema, "response"), events);
    }
    case "text":
      return { description: "OK", content: { "text/plain": { schema: { type: "string" } } } };
    case "empty":
      return { description: "OK, without a body" };
  }
}

function json(schema: JsonSchema, others: JsonObject): JsonObject {
  return { description: "OK", content: { "application/json": { schema }, ...others } };
}

/** Splice refuses some requests with a line of text; the ledger API always answers its error body. */
function contentOfErrors(api: Api, components: SchemaComponents): JsonObject {
  const body = { "application/json": { schema: components.add(api.errorBody, "response") } };
  return api.dialect === "ledger" ? body : { ...body, "text/plain": { schema: { type: "string" } } };
}

/** The API's error body, or the operation's own for that status. */
function contentOf(
  { errorBodies = {} }: Endpoint,
  status: number,
  components: SchemaComponents,
  errorContent: JsonObject,
): JsonObject {
  const own = errorBodies[status];
  return own === undefined
    ? errorContent
    : { "application/json": { schema: components.add(own, "response") } };
}

const reasonPhrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  410: "Gone",
  413: "Content Too Large",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  507: "Insufficient Storage",
};

function reasonPhrase(status: number): string {
  return reasonPhrases[status] ?? `Status ${status}`;
}
