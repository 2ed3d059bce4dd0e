/** A request exactly as it is given: `fetch` would mend the path, and not ask for an upgrade. */
import { type RequestOptions, request } from "node:http";
import { text } from "node:stream/consumers";

export interface PlainAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** A server that hangs up while the body is on its way may have answered before. */
export function plainRequest(
  url: string,
  { body, ...options }: RequestOptions & { readonly body?: string | Buffer | undefined } = {},
): Promise<PlainAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port, pathname, search } = new URL(url);
    const outgoing = request({ hostname, port, path: pathname + search, ...options }, (answer) => {
      const { statusCode: status = 0, headers } = answer;
      text(answer)
        .catch(() => "")
        .then((read) => resolve({ status, type: headers["content-type"] ?? "", body: read }), reject);
      outgoing.removeListener("error", reject).on("error", () => undefined);
    });
    outgoing.on("error", reject).on("timeout", () => outgoing.destroy(new Error("no answer in time")));
    outgoing.end(body);
  });
}
