/** One AsyncAPI 2.6 document of an API's websockets, read from its table as the OpenAPI document is. */
import type { JsonValue } from "@callsign/ledger";
import { authRules } from "./auth-rule.ts";
import type { Api, Endpoint } from "./endpoint.ts";
import { SchemaComponents } from "./openapi-schemas.ts";

type JsonObject = { readonly [key: string]: JsonValue };

interface AsyncApiDocument extends JsonObject {
  readonly asyncapi: "2.6.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  /** Path → what the client sends once (`publish`), and what it is sent (`subscribe`). */
  readonly channels: { readonly [path: string]: JsonObject };
  readonly components: { readonly [section: string]: JsonObject };
}

const HOW =
  "A channel is a websocket at its path. The client sends its request in one text frame; each frame of the server is " +
  "one item. An error is one frame with its body, and then the server closes. The token is an Authorization header, " +
  "or a subprotocol jwt.token.<token> that is offered before daml.ws.auth, which the server always chooses.";

/** Null for an API without websockets. */
export function makeAsyncApiDocument(api: Api): AsyncApiDocument | null {
  const components = new SchemaComponents();
  const error = components.add(api.errorBody, "response");
  const channels: Record<string, JsonObject> = {};
  for (const endpoint of Object.values<Endpoint>(api.endpoints)) {
    const channel = makeChannel(endpoint, components, error);
    if (channel !== null) channels[endpoint.path] = channel;
  }
  if (Object.keys(channels).length === 0) return null;
  return components.resolve({
    asyncapi: "2.6.0",
    info: { title: `${api.title}: websockets`, version: api.version, description: HOW },
    defaultContentType: "application/json",
    channels,
    components: { schemas: components.list() },
  });
}

function makeChannel(
  { id, summary, auth, deprecated, body, streamItem }: Endpoint,
  components: SchemaComponents,
  error: JsonObject,
): JsonObject | null {
  if (streamItem === undefined || body === undefined) return null;
  const note = deprecated === true ? "Deprecated. " : "";
  return {
    description: `${note}${summary}. ${authRules[auth]}`,
    publish: { operationId: `${id}Request`, message: { payload: components.add(body, "request") } },
    subscribe: {
      operationId: id,
      message: { payload: { oneOf: [components.add(streamItem, "response"), error] } },
    },
    bindings: { ws: { method: "GET" } },
  };
}
