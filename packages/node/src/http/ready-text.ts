/** A ready answer at one path that takes no parameters: a success whose JSON text is kept. */
import type { IncomingHttpHeaders } from "node:http";
import type { Api, Endpoint } from "@callsign/api";
import { isAccepted } from "./accept.ts";
import type { FindReady } from "./ready-answer.ts";

const HEADERS = { "content-type": "application/json" };

interface ReadyText {
  readonly text: string;
  /** The caller, where the operation takes a token. */
  readonly user?: string;
}

/** For an operation that takes no token; a token that comes all the same is judged on the general path. */
export function readyTextAt(
  api: Pick<Api, "basePath">,
  endpoint: Endpoint,
  findText: () => string | null,
): FindReady {
  return readyAt(api, endpoint, ({ authorization }) => {
    const text = authorization === undefined ? findText() : null;
    return text === null ? null : { text };
  });
}

/** For an operation that takes a token, which `find` judges. */
export function readyTextOfCallerAt(
  api: Pick<Api, "basePath">,
  endpoint: Endpoint,
  find: (authorization: string) => Required<ReadyText> | null,
): FindReady {
  return readyAt(api, endpoint, ({ authorization }) =>
    authorization === undefined ? null : find(authorization),
  );
}

function readyAt(
  { basePath }: Pick<Api, "basePath">,
  endpoint: Endpoint,
  find: (headers: IncomingHttpHeaders) => ReadyText | null,
): FindReady {
  const { path } = endpoint;
  const whole = basePath + path;
  return (target, headers) => {
    if ((target !== path && target !== whole) || !isAccepted(headers.accept, endpoint)) return null;
    const found = find(headers);
    if (found === null) return null;
    const { text: body, ...caller } = found;
    return { endpoint, status: 200, headers: HEADERS, body, ...caller };
  };
}
