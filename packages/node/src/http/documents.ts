/** An API's own documents: its operations, a page to read them, its websockets. Made when first asked for. */
import { createRequire } from "node:module";
import { makeAsyncApiDocument, makeOpenApiDocument, renderOpenApiPage } from "@callsign/api";
import type { MountedApi } from "./mount-api.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const PAGE_TYPE = "text/html; charset=utf-8";
const TEXT_TYPE = "text/plain; charset=utf-8";

export interface Document {
  readonly path: string;
  readonly type: string;
  readonly read: () => string;
}

export function listDocuments({ api, streams }: MountedApi, prefix: string): readonly Document[] {
  const json = once(() => JSON.stringify(makeOpenApiDocument(api), null, 2));
  const page = once(() => renderOpenApiPage(makeOpenApiDocument(api)));
  const own = `${prefix}/docs/${api.name}`;
  const operations =
    // The ledger API's clients know its documents as YAML.
    api.dialect === "ledger"
      ? { type: TEXT_TYPE, read: yaml(() => makeOpenApiDocument(api)) }
      : { type: JSON_TYPE, read: json };
  const websockets = { type: TEXT_TYPE, read: yaml(() => makeAsyncApiDocument(api)) };
  return [
    { path: `${own}/openapi.json`, type: JSON_TYPE, read: json },
    { path: own, type: PAGE_TYPE, read: page },
    { path: `${prefix}/docs`, type: PAGE_TYPE, read: page },
    { path: `${prefix}/docs/openapi`, ...operations },
    ...(streams === undefined ? [] : [{ path: `${prefix}/docs/asyncapi`, ...websockets }]),
  ];
}

function yaml(make: () => unknown): () => string {
  return once(() => {
    // Its many files are loaded with the first such document, not with every start.
    const { stringify } = createRequire(import.meta.url)("yaml") as typeof import("yaml");
    return stringify(make(), { aliasDuplicateObjects: false });
  });
}

function once(make: () => string): () => string {
  let made: string | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
