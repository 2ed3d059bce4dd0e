/** A ready answer at one path that takes no parameters: a success whose JSON text is kept. */
import type { Api, Endpoint } from "@callsign/api";
import { isAccepted } from "./accept.ts";
import type { FindReady } from "./ready-answer.ts";

const HEADERS = { "content-type": "application/json" };

/** For an operation that takes no token; a token that comes all the same is judged on the general path. */
export function readyTextAt(
  { basePath }: Pick<Api, "basePath">,
  endpoint: Endpoint,
  findText: () => string | null,
): FindReady {
  const { path } = endpoint;
  const whole = basePath + path;
  return (target, { authorization, accept }) => {
    if (target !== path && target !== whole) return null;
    if (authorization !== undefined || !isAccepted(accept, endpoint)) return null;
    const body = findText();
    return body === null ? null : { endpoint, status: 200, headers: HEADERS, body };
  };
}
