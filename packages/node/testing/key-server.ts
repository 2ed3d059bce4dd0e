/** Signers of tokens with keys of any kind, and a server on loopback that shows their public parts, or misbehaves. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  SignJWT,
} from "jose";
import { onTestFinished } from "vitest";
import { listen } from "../../api/testing/table-server.ts";
import type { AtEnd } from "./at-end.ts";

export interface Signer {
  readonly publicJwk: JWK;
  readonly privateKey: CryptoKey;
  readonly sign: (claims: Record<string, unknown>, header?: Partial<JWTHeaderParameters>) => Promise<string>;
}

let made = 0;

export async function newSigner(alg: "RS256" | "ES256" | "ES512" = "ES256", kid?: string): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const id = kid ?? `key-${++made}`;
  return {
    publicJwk: { ...(await exportJWK(publicKey)), kid: id, use: "sig" },
    privateKey,
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid: id, ...header }).sign(privateKey),
  };
}

export type Behaviour =
  | "honest"
  | "hang"
  | "slow body"
  | "error"
  | "huge"
  | "huge in pieces"
  | "huge, packed"
  | "nonsense"
  | "redirect"
  | "hang up";

export interface KeyServer {
  readonly url: string;
  readonly port: number;
  keys: readonly JWK[];
  behaviour: Behaviour;
  /** Counts requests. */
  readonly asked: () => number;
  readonly close: () => Promise<void>;
}

export async function startKeyServer(
  keys: readonly JWK[],
  options: { readonly port?: number; readonly behaviour?: Behaviour } = {},
  atEnd: AtEnd = onTestFinished,
): Promise<KeyServer> {
  let asked = 0;
  const { url, port, close } = await listen((request, response) => {
    asked += 1;
    answer(server, request, response);
  }, options.port);
  const server: KeyServer = {
    url: `${url}/keys`,
    port,
    keys,
    behaviour: options.behaviour ?? "honest",
    asked: () => asked,
    close,
  };
  atEnd(close);
  return server;
}

function answer({ keys, behaviour }: KeyServer, request: IncomingMessage, response: ServerResponse): void {
  const json = JSON.stringify({ keys });
  // The redirect leads to the keys: following it is the mistake.
  if (request.url === "/elsewhere") {
    response.end(json);
    return;
  }
  switch (behaviour) {
    case "honest":
      response.setHeader("content-type", "application/json").end(json);
      return;
    case "hang":
      return;
    case "slow body":
      response.write(json.slice(0, 10));
      return;
    case "error":
      response.writeHead(500).end(json);
      return;
    case "huge":
      response.end(`${json.slice(0, -1)},"padding":"${"x".repeat(2_000_000)}"}`);
      return;
    case "huge in pieces":
      response.write(json.slice(0, -1));
      response.end(`,"padding":"${"x".repeat(2_000_000)}"}`);
      return;
    case "huge, packed":
      response.setHeader("content-encoding", "gzip");
      response.end(gzipSync(`${json.slice(0, -1)},"padding":"${"x".repeat(2_000_000)}"}`));
      return;
    case "nonsense":
      response.end("<html>keys</html>");
      return;
    case "redirect":
      response.writeHead(302, { location: "/elsewhere" }).end();
      return;
    case "hang up":
      request.socket.destroy();
      return;
  }
}
