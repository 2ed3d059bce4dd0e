/** A page of somebody else: another origin, with any content. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AtEnd } from "../../../packages/node/testing/at-end.ts";

export interface ForeignPage {
  readonly origin: string;
  /** The paths that it was asked for. */
  readonly asked: readonly string[];
}

/** Every path answers the same content. */
export async function serveForeignPage(content: string, atEnd: AtEnd): Promise<ForeignPage> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.setHeader("content-type", "text/html").end(`<!doctype html><title>Foreign</title>${content}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://evil.localhost:${(server.address() as AddressInfo).port}`, asked };
}
