/** A GET exactly as it is given: `fetch` would mend the path, and not ask for an upgrade. */
import { type RequestOptions, request } from "node:http";

export interface PlainAnswer {
  readonly status: number;
  readonly body: string;
}

export function plainRequest(url: string, options: RequestOptions = {}): Promise<PlainAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port, pathname, search } = new URL(url);
    const outgoing = request({ hostname, port, path: pathname + search, ...options }, (answer) => {
      let body = "";
      answer.on("data", (chunk) => {
        body += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}
