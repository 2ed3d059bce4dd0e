import { writeFileSync } from "node:fs";
import { type RequestOptions, request } from "node:https";
import { connect as connectPlain, type Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { type HttpServer, startHttpServer } from "../../packages/node/src/http/http-server.ts";
import { createLog, silentLog } from "../../packages/node/src/observability/log.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { TLS_CHECK_MILLISECONDS } from "../../packages/node/src/tls/renewable-files.ts";
import type { TlsServerConfig } from "../../packages/node/src/tls/tls-config.ts";
import { serveWebsockets } from "../../packages/node/src/websockets/websockets.ts";
import { readLogLines } from "../../packages/node/testing/log-lines.ts";
import { mountSample } from "../../packages/node/testing/sample-api.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { VirtualHost } from "../../packages/node/testing/virtual-host.ts";
import { WebsocketReader } from "../../packages/node/testing/websocket-reader.ts";
import { CertificateAuthority, type CertificatePair, writeCertificate } from "../support/certificates.ts";

let authority: CertificateAuthority;
let stranger: CertificateAuthority;
let node: CertificatePair;
let renewed: CertificatePair;
let client: CertificatePair;
let strangersClient: CertificatePair;
let folder: string;
let files: TlsServerConfig & { readonly trustCollectionFile: string };

beforeAll(async () => {
  [authority, stranger] = await Promise.all([
    CertificateAuthority.create(),
    CertificateAuthority.create("Stranger"),
  ]);
  [node, renewed, client, strangersClient] = await Promise.all([
    authority.issue("node"),
    authority.issue("renewed"),
    authority.issue("client"),
    stranger.issue("client"),
  ]);
});

beforeEach(() => {
  folder = temporaryFolder();
  const trustCollectionFile = join(folder, "ca.crt");
  writeFileSync(trustCollectionFile, authority.certificate);
  files = { ...writeCertificate(folder, node), trustCollectionFile };
});

/** Time passes for the server's timers only when a test says so. */
const virtual = new VirtualHost();
const host = { ...systemHost, timers: virtual.timers };

async function serve(
  tls: TlsServerConfig,
  options: { log?: typeof silentLog; maxConnections?: number } = {},
) {
  const server = await startHttpServer({
    ...{ host: "127.0.0.1", port: 0, tls, mounts: [mountSample("ledger")], log: silentLog, system: host },
    upgrades: serveWebsockets(),
    ...options,
  });
  onTestFinished(() => server.close());
  return server;
}

interface Answer {
  readonly status: number;
  readonly warning: string | undefined;
  /** The subject of the server's certificate. */
  readonly subject: string;
}

/** Asks for `/livez` on a connection of its own. */
function probe({ url }: HttpServer, options: RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/livez`,
      { ca: authority.certificate, agent: false, ...options },
      (answer) => {
        const { statusCode: status = 0, headers, socket } = answer;
        const subject = (socket as TLSSocket).getPeerX509Certificate()?.subject ?? "";
        const warning = headers["x-callsign-warning"];
        text(answer).then(() => resolve({ status, warning: warning?.toString(), subject }), reject);
      },
    );
    sent.on("error", reject).end();
  });
}

function pairOf({ certificate, privateKey }: CertificatePair) {
  return { cert: certificate, key: privateKey };
}

test("a port with TLS answers at an https url, and plain HTTP not at all", async () => {
  const server = await serve(files);
  expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
  expect(await probe(server)).toMatchObject({ status: 200, subject: "CN=node", warning: undefined });
  await expect(probe(server, { ca: stranger.certificate })).rejects.toThrow(/verif|certificate/i);
  await expect(fetch(`http://127.0.0.1:${server.port}/livez`)).rejects.toThrow();
});

test("the oldest protocol is 1.2, or 1.3 if that is asked for", async () => {
  const lax = await serve(files);
  const strict = await serve({ ...files, minimumProtocolVersion: "TLSv1.3" });
  expect(await probe(lax, { maxVersion: "TLSv1.2" })).toMatchObject({ status: 200 });
  expect(await probe(strict)).toMatchObject({ status: 200 });
  await expect(probe(strict, { maxVersion: "TLSv1.2" })).rejects.toThrow(/protocol version/);
  const old: RequestOptions = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" };
  await expect(probe(lax, old)).rejects.toThrow();
});

test("a client certificate is asked for, taken and refused by client-auth", async () => {
  const file = join(folder, "node.log");
  const log = createLog({ level: "info", file });
  const outcomes = async (tls: TlsServerConfig) => {
    const server = await serve(tls, { log });
    const tries = [{}, pairOf(client), pairOf(strangersClient)];
    return Promise.all(
      tries.map((options) =>
        probe(server, options).then(
          ({ status }) => status,
          () => "refused",
        ),
      ),
    );
  };
  expect(await outcomes({ ...files, clientAuth: { type: "none" } })).toEqual([200, 200, 200]);
  expect(await outcomes({ ...files, clientAuth: { type: "optional" } })).toEqual([200, 200, "refused"]);
  expect(await outcomes({ ...files, clientAuth: { type: "require" } })).toEqual(["refused", 200, "refused"]);
  await until(() => readLogLines(file).length === 3, "the three refusals are logged");
  const reasons = readLogLines(file).map(({ address, reason }) => `${address} ${reason}`);
  const stranger = "127.0.0.1 TLS handshake failed: the client's certificate is not valid: ";
  expect(reasons.filter((reason) => reason.startsWith(stranger))).toHaveLength(2);
  expect(reasons.filter((reason) => reason.includes("peer did not return a certificate"))).toHaveLength(1);
});

test("files that cannot be used keep the port from opening, all of them named", async () => {
  const broken = {
    ...files,
    privateKeyFile: join(folder, "none.key"),
    trustCollectionFile: files.privateKeyFile,
  };
  await expect(serve(broken)).rejects.toThrow(
    `private-key-file ${join(folder, "none.key")} does not exist\n` +
      `trust-collection-file ${files.privateKeyFile} holds a private key where a certificate is needed`,
  );
});

/** A connection that stays open. */
async function open(server: HttpServer, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ host: "127.0.0.1", port: server.port, ca: authority.certificate, ...options });
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
  return socket;
}

async function ask(socket: Socket): Promise<string> {
  const answered = new Promise<string>((resolve) => {
    socket.once("data", (data) => resolve(String(data).split("\r\n")[0] ?? ""));
    socket.once("close", () => resolve("closed"));
    if (socket.destroyed) resolve("closed");
  });
  socket.write("GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n");
  return answered;
}

test("renewed files serve new connections, a bad renewal is told and changes nothing", async () => {
  const file = join(folder, "node.log");
  const server = await serve(files, { log: createLog({ level: "info", file }) });
  const before = await open(server);
  writeCertificate(folder, renewed);
  expect(await probe(server)).toMatchObject({ subject: "CN=node" });
  await virtual.advance(TLS_CHECK_MILLISECONDS);
  expect(await probe(server)).toMatchObject({ status: 200, subject: "CN=renewed", warning: undefined });
  expect(await ask(before)).toBe("HTTP/1.1 200 OK");

  const old = await authority.issue("old", { notAfter: new Date(Date.now() - 1000) });
  writeCertificate(folder, old);
  await virtual.advance(3 * TLS_CHECK_MILLISECONDS);
  const { warning, ...answer } = await probe(server);
  expect(answer).toEqual({ status: 200, subject: "CN=renewed" });
  expect(warning).toContain(`cert-chain-file ${files.certChainFile} has expired: CN=old`);
  writeCertificate(folder, node);
  await virtual.advance(TLS_CHECK_MILLISECONDS);
  expect(await probe(server)).toEqual({ status: 200, subject: "CN=node", warning: undefined });
  expect(readLogLines(file).map(({ level, msg }) => [level, msg])).toEqual([
    [30, "renewed TLS files are in use for new connections"],
    [40, "renewed TLS files cannot be used: the certificate before them stays in use"],
    [30, "renewed TLS files are in use for new connections"],
  ]);
});

test("authorities of clients are renewed as well", async () => {
  const server = await serve({ ...files, clientAuth: { type: "require" } });
  writeFileSync(files.trustCollectionFile, stranger.certificate);
  await virtual.advance(TLS_CHECK_MILLISECONDS);
  expect(await probe(server, pairOf(strangersClient))).toMatchObject({ status: 200 });
  await expect(probe(server, pairOf(client))).rejects.toThrow();
});

test("a websocket opens over TLS", async () => {
  const { url } = await serve(files);
  const options = { ca: authority.certificate, headers: { authorization: "Bearer alice" }, request: {} };
  expect(await new WebsocketReader(`${url}/v2/greet`, options).rest()).toEqual([{ user: "alice" }]);
});

test("a port closes although a connection never ends its handshake, and does not wait for its timeout", async () => {
  const file = join(folder, "node.log");
  const server = await serve(files, { log: createLog({ level: "debug", file }) });
  const silent = connectPlain({ host: "127.0.0.1", port: server.port }).on("error", () => undefined);
  await new Promise((resolve) => silent.once("connect", resolve));
  // Connections are taken in one after the other.
  expect(await probe(server)).toMatchObject({ status: 200 });
  await server.close();
  expect(JSON.stringify(readLogLines(file))).not.toMatch(/timeout/i);
});

test("connections that never end their handshake make room for others", async () => {
  const server = await serve(files, { maxConnections: 3 });
  const silent: Socket[] = [];
  for (let i = 0; i < 3; i++) {
    const socket = connectPlain({ host: "127.0.0.1", port: server.port });
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    await new Promise((resolve) => socket.once("connect", resolve));
    silent.push(socket);
  }
  expect(await probe(server)).toMatchObject({ status: 200 });
  await until(() => silent[0]?.destroyed === true, "the first silent connection is closed");
});
