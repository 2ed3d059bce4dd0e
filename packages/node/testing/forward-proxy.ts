/** A real forward proxy on loopback, which keeps the targets of the requests that pass it. */
import { RequestError, Server } from "proxy-chain";
import type { ProxyAddress } from "../src/host/outgoing.ts";
import type { AtEnd } from "./at-end.ts";

export interface TestProxy {
  readonly address: ProxyAddress;
  /** `CONNECT host:port`, or `GET host:port/path` of a plain request; in their order. */
  readonly passed: string[];
  /** The status of its answer to every request; undefined lets them pass. */
  refusal: number | undefined;
  readonly close: () => Promise<void>;
}

export async function startForwardProxy(atEnd: AtEnd): Promise<TestProxy> {
  const passed: string[] = [];
  const server = new Server({
    host: "127.0.0.1",
    port: 0,
    prepareRequestFunction: ({ request, hostname, port, isHttp }) => {
      const path = isHttp ? new URL(request.url ?? "").pathname : "";
      passed.push(`${request.method} ${hostname}:${port}${path}`);
      if (proxy.refusal === 407) return { requestAuthentication: true };
      if (proxy.refusal !== undefined) throw new RequestError("refused", proxy.refusal);
      return undefined;
    },
  });
  await server.listen();
  const close = () => server.close(true);
  const proxy: TestProxy = {
    address: { host: "127.0.0.1", port: server.port },
    passed,
    refusal: undefined,
    close,
  };
  atEnd(close);
  return proxy;
}
