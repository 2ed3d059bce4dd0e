/** An OpenAPI document as the pages read it: operations by tag, example bodies, and the request that a form describes. */

export interface ApiSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly required?: readonly string[];
  readonly items?: ApiSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly ApiSchema[];
  readonly oneOf?: readonly ApiSchema[];
  readonly allOf?: readonly ApiSchema[];
  readonly format?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly examples?: readonly unknown[];
}

export interface ApiParameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: ApiSchema;
}

interface ApiContent {
  readonly content?: Readonly<Record<string, { readonly schema?: ApiSchema }>>;
}

export interface ApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: ApiContent & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, ApiContent & { readonly description?: string }>>;
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: { readonly schemas?: Readonly<Record<string, ApiSchema>> };
}

export interface ListedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
}

/** Operations whose method, path or summary has the text, by their first tag and in the document's order. */
export function groupOperations(document: ApiDocument, sought: string) {
  const text = sought.trim().toLowerCase();
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): ListedOperation => ({ method: method.toUpperCase(), path, operation }),
    ),
  );
  const found = all.filter(({ method, path, operation: { summary } }) =>
    `${method} ${path} ${summary}`.toLowerCase().includes(text),
  );
  return document.tags
    .map((tag) => ({ tag, operations: found.filter(({ operation }) => operation.tags[0] === tag.name) }))
    .filter(({ operations }) => operations.length > 0);
}

export function schemaOf(given: ApiContent | undefined): ApiSchema | null {
  const [first] = Object.values(given?.content ?? {});
  return first?.schema ?? null;
}

const MAX_DEPTH = 8;

/** A value of the schema. Optional fields of objects are included, so that a reader sees them. */
export function makeExample(schema: ApiSchema, document: ApiDocument, depth = 0): unknown {
  if (depth > MAX_DEPTH) return null;
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    const found = document.components.schemas?.[name];
    return found === undefined ? null : makeExample(found, document, depth + 1);
  }
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf;
  const choice = choices?.find(({ type }) => type !== "null") ?? choices?.[0];
  if (choice !== undefined) return makeExample(choice, document, depth + 1);
  if (schema.allOf !== undefined) {
    return Object.assign({}, ...schema.allOf.map((each) => makeExample(each, document, depth + 1)));
  }
  return makePlainExample(schema, document, depth);
}

function makePlainExample(schema: ApiSchema, document: ApiDocument, depth: number): unknown {
  const { type = "object" } = schema;
  const kind = typeof type === "string" ? type : type.find((each) => each !== "null");
  switch (kind) {
    case "string":
      return schema.format === "date-time" ? "2027-01-01T00:00:00Z" : "";
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    case "boolean":
      return false;
    case "array":
      return schema.items === undefined ? [] : [makeExample(schema.items, document, depth + 1)];
    case "null":
      return null;
    default:
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, each]) => [
          name,
          makeExample(each, document, depth + 1),
        ]),
      );
  }
}

/** The address of a call: parameters of the path filled in, those of the query added unless empty. */
export function makeCallPath(
  { path, operation }: ListedOperation,
  values: Readonly<Record<string, string>>,
): string {
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const query = (operation.parameters ?? []).flatMap(({ name, in: place }) => {
    const value = values[name] ?? "";
    return place !== "query" || value === ""
      ? []
      : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`];
  });
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
}

/** The same call for a shell. The token stands in a variable. */
export function makeCurl(given: {
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
  readonly isOpen: boolean;
}): string {
  const { method, url, body, isOpen } = given;
  const parts = [`curl -s${method === "GET" ? "" : ` -X ${method}`} ${quote(url)}`];
  if (!isOpen) parts.push('-H "authorization: Bearer $TOKEN"');
  if (body !== null) parts.push("-H 'content-type: application/json'", `-d ${quote(body)}`);
  return parts.join(" \\\n  ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
