/** An API's own documents: its operations, a page to read them, its websockets. Made when first asked for. */
import { makeAsyncApiDocument, makeOpenApiDocument, renderOpenApiPage } from "@callsign/api";
import type { FastifyInstance } from "fastify";
import { stringify } from "yaml";
import type { MountedApi } from "./mount-api.ts";

const JSON_TYPE = "application/json";
const PAGE_TYPE = "text/html; charset=utf-8";
const TEXT_TYPE = "text/plain; charset=utf-8";

export function addDocuments(app: FastifyInstance, { api, streams }: MountedApi, prefix: string): void {
  const json = once(() => JSON.stringify(makeOpenApiDocument(api), null, 2));
  const page = once(() => renderOpenApiPage(makeOpenApiDocument(api)));
  const own = `${prefix}/docs/${api.name}`;
  const add = (path: string, type: string, read: () => string) => {
    if (app.hasRoute({ method: "GET", url: path })) return;
    app.get(path, (_, reply) => reply.type(type).send(read()));
  };
  add(`${own}/openapi.json`, JSON_TYPE, json);
  add(own, PAGE_TYPE, page);
  add(`${prefix}/docs`, PAGE_TYPE, page);
  // The ledger API's clients know its documents as YAML.
  if (api.dialect === "ledger")
    add(
      `${prefix}/docs/openapi`,
      TEXT_TYPE,
      yaml(() => makeOpenApiDocument(api)),
    );
  else add(`${prefix}/docs/openapi`, JSON_TYPE, json);
  if (streams !== undefined)
    add(
      `${prefix}/docs/asyncapi`,
      TEXT_TYPE,
      yaml(() => makeAsyncApiDocument(api)),
    );
}

function yaml(make: () => unknown): () => string {
  return once(() => stringify(make(), { aliasDuplicateObjects: false }));
}

function once(make: () => string): () => string {
  let made: string | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
