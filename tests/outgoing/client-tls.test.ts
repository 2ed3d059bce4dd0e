// Outgoing calls over TLS: whom they trust, which certificate they show, and the words in which a handshake fails.

import { rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { type HttpClient, type OutgoingOptions, systemHost, TlsFilesRejected } from "@callsign/node";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { listen } from "../../packages/api/testing/table-server.ts";
import { openHttpClient } from "../../packages/node/src/http-client/http-client.ts";
import { startForwardProxy } from "../../packages/node/testing/forward-proxy.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { CertificateAuthority, type CertificatePair, writeCertificate } from "../support/certificates.ts";

const DAY = 86_400_000;
let authority: CertificateAuthority;
let own: CertificatePair;

beforeAll(async () => {
  authority = await CertificateAuthority.create();
  own = await authority.issue("server");
});

/** Answers with the name in the client's certificate. */
async function startServer(pair: CertificatePair, options: ServerOptions = {}) {
  const certificates = { cert: pair.certificate, key: pair.privateKey };
  const server = createServer({ ...certificates, ...options }, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    response.end(`hello ${subject?.CN ?? "nobody"}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}`, port, server };
}

const demanding = () => ({ ca: authority.certificate, requestCert: true, rejectUnauthorized: true });

/** Files are looked at again when the time has moved by five seconds. */
function openClient(options: OutgoingOptions, now = { milliseconds: 0 }): HttpClient {
  const clock = { ...systemHost.clock, elapsedMilliseconds: () => now.milliseconds };
  const client = openHttpClient({ ...systemHost, clock }, options);
  onTestFinished(() => client.close());
  return client;
}

/** Options that trust the authority, and show a certificate if there is one. */
function trusting(pair?: CertificatePair) {
  const folder = temporaryFolder();
  const trustCollectionFile = join(folder, "ca.crt");
  writeFileSync(trustCollectionFile, authority.certificate);
  const certificate = pair === undefined ? {} : { certificate: writeCertificate(folder, pair) };
  return { folder, tls: { trustCollectionFile, ...certificate } };
}

async function greet(client: HttpClient, url: string): Promise<string> {
  return (await client.fetch(url, {})).text();
}

test("a server is trusted by the file of authorities, and gets the client's certificate, through a proxy too", async () => {
  const { url, port } = await startServer(own, demanding());
  const { tls } = trusting(await authority.issue("validator"));
  expect(await greet(openClient({ tls }), url)).toBe("hello validator");
  const { address, passed } = await startForwardProxy(onTestFinished);
  const proxy = { https: address, nonProxyHosts: [] };
  const through = openClient({ tls, proxy });
  expect(await greet(through, url)).toBe("hello validator");
  expect(await greet(through, url)).toBe("hello validator");
  expect([...new Set(passed.splice(0))]).toEqual([`CONNECT 127.0.0.1:${port}`]);
  expect(await greet(openClient({ tls, proxy: { ...proxy, nonProxyHosts: ["127.*"] } }), url)).toBe(
    "hello validator",
  );
  expect(passed).toEqual([]);
});

test("renewed files are used without a restart, and damaged ones leave the last good ones in use", async () => {
  const { url, server } = await startServer(own, demanding());
  const { folder, tls } = trusting(await authority.issue("first"));
  const now = { milliseconds: 0 };
  const client = openClient({ tls }, now);
  expect(await greet(client, url)).toBe("hello first");
  writeCertificate(folder, await authority.issue("second"));
  expect(await greet(client, url)).toBe("hello first");
  now.milliseconds += 5000;
  expect(await greet(client, url)).toBe("hello second");
  const path = join(folder, "tls.crt");
  writeFileSync(path, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  for (let look = 0; look < 3; look++) {
    now.milliseconds += 5000;
    expect(await greet(client, url)).toBe("hello second");
  }
  // The server turns to another authority: only now the damaged file matters, and the error names it.
  const other = await CertificateAuthority.create("Other authority");
  server.setSecureContext({ cert: own.certificate, key: own.privateKey, ca: other.certificate });
  server.closeAllConnections();
  // The connection that was open before.
  await greet(client, url).catch(() => undefined);
  await expect(greet(client, url)).rejects.toThrow(
    /may not accept the client certificate .*tls\.crt.*Renewed files are not in use: cert-chain-file .*tls\.crt is damaged/,
  );
});

test("files that cannot be used are all named when the client is opened", () => {
  const { folder, tls } = trusting(own);
  rmSync(join(folder, "ca.crt"));
  writeFileSync(join(folder, "tls.key"), "no key");
  const open = () => openClient({ tls });
  expect(open).toThrow(TlsFilesRejected);
  expect(open).toThrow(
    /trust-collection-file .*ca\.crt does not exist\nprivate-key-file .*tls\.key holds no private key/,
  );
});

describe("a failed handshake is told in plain words", () => {
  const failing = (options: OutgoingOptions, url: string) => expect(greet(openClient(options), url)).rejects;

  test("a certificate that no authority of the file or the machine has signed", async () => {
    const stranger = await CertificateAuthority.create("Stranger");
    const { url, port } = await startServer(await stranger.issue("server"));
    const { tls } = trusting();
    const certificate = `the certificate of 127.0.0.1:${port} is not trusted`;
    await failing({ tls }, url).toThrow(
      `${certificate}: no authority in ${tls.trustCollectionFile} has signed it`,
    );
    await failing({}, url).toThrow(`${certificate}: no authority of this machine has signed it`);
    const { address } = await startForwardProxy(onTestFinished);
    await failing({ tls, proxy: { https: address, nonProxyHosts: [] } }, url).toThrow(
      new RegExp(`${certificate}.*through the forward proxy 127\\.0\\.0\\.1:${address.port}`),
    );
  });

  test("a certificate that has expired, is not valid yet, or is for another name", async () => {
    const past = { notBefore: new Date(Date.now() - 2 * DAY), notAfter: new Date(Date.now() - DAY) };
    const future = { notBefore: new Date(Date.now() + DAY), notAfter: new Date(Date.now() + 2 * DAY) };
    const { tls } = trusting();
    for (const [options, reason] of [
      [past, /certificate of 127.*has expired/],
      [future, /certificate of 127.* is not valid yet: is this machine's clock right/],
      [{ names: ["sv.example"] }, /certificate of 127.* is for other names: DNS:sv\.example\./],
    ] as const) {
      const { url } = await startServer(await authority.issue("server", options));
      await failing({ tls }, url).toThrow(reason);
    }
  });

  test.each(["TLSv1.2", "TLSv1.3"] as const)(
    "a client certificate that is missing or of a stranger, with %s",
    async (version) => {
      const { url } = await startServer(own, {
        ...demanding(),
        minVersion: version,
        maxVersion: version,
      });
      await failing(trusting(), url).toThrow(/^127.* demands? a client certificate, and none is configured/);
      const stranger = await CertificateAuthority.create("Stranger");
      const { folder, tls } = trusting(await stranger.issue("validator"));
      await failing({ tls }, url).toThrow(`not accept the client certificate ${join(folder, "tls.crt")}`);
    },
  );

  test("https to a server without TLS, and http to one with TLS", async () => {
    const plain = await listen((_, response) => void response.end());
    onTestFinished(plain.close);
    await failing(trusting(), plain.url.replace("http:", "https:")).toThrow(
      `127.0.0.1:${plain.port} does not speak TLS: is it an http:// URL?`,
    );
    const { url, port } = await startServer(own);
    await failing({}, url.replace("https:", "http:")).toThrow(
      `127.0.0.1:${port} closed the connection without an answer; if it expects TLS, its URL begins with https://`,
    );
  });
});
