import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { runInTrace, startTrace } from "../observability/trace-context.ts";
import { systemHost } from "../system-host.ts";
import { openTokenSource } from "./open-token-source.ts";

const SECRET = "hunter2hunter2hunter2";

/** Refuses every client, with a description that the test chooses. */
async function serveRefusals(description: string) {
  const heads: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    heads.push(request.headers);
    const { port } = server.address() as AddressInfo;
    const isDiscovery = request.method === "GET";
    response
      .writeHead(isDiscovery ? 200 : 401)
      .end(
        JSON.stringify(
          isDiscovery
            ? { token_endpoint: `http://127.0.0.1:${port}/token` }
            : { error: "invalid_client", error_description: description },
        ),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const { port } = server.address() as AddressInfo;
  const source = openTokenSource(
    {
      ...{ kind: "client-credentials", clientId: "validator", clientSecret: SECRET, audience: "ledger" },
      wellKnownUrl: `http://127.0.0.1:${port}/.well-known/openid-configuration`,
    },
    { host: systemHost, stopping: stopping.signal },
  );
  return { source, heads };
}

test("a provider's description that repeats the secret is shown without it, also where it is cut", async () => {
  for (const before of [0, 270, 280]) {
    const { source } = await serveRefusals(`${"x".repeat(before)}${SECRET} is wrong`);
    await expect(source.token()).rejects.toThrow(/answers with status 401(?!.*hunter)/);
  }
});

test("a token is fetched outside of the trace of the caller who needs it first", async () => {
  const { source, heads } = await serveRefusals("no");
  const trace = startTrace(undefined, "vendor=1", systemHost.randomness);
  await expect(runInTrace({ trace }, source.token)).rejects.toThrow("401");
  expect(heads).toHaveLength(2);
  for (const head of heads) expect(head).not.toHaveProperty("traceparent");
});
