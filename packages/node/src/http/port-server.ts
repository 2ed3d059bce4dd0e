/** The server of one port: plain, or with TLS by files that may be renewed while it listens. */
import type { Server, ServerOptions } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import { readTlsServer, type ServerCertificates } from "../tls/read-tls.ts";
import { RenewableFiles, TLS_CHECK_MILLISECONDS } from "../tls/renewable-files.ts";
import type { TlsServerConfig } from "../tls/tls-config.ts";
import { startInterval } from "../waiting/interval.ts";
import { callerAddressOf } from "./caller-address.ts";
import { HANDSHAKE_MILLISECONDS } from "./limits.ts";
import type { RefusalLog } from "./refusal-log.ts";

export interface PortServer {
  readonly server: Server;
  /** Rejects if the port is in use. */
  readonly listen: (host: string, port: number) => Promise<ListeningPort>;
  /** The reason why renewed files are not in use; null if there is none. */
  readonly warning: () => string | null;
  /** Ends the checks of the files. */
  readonly close: () => void;
  /** Ends every connection at once, those in their handshakes among them, which HTTP does not know of. */
  readonly closeConnections: () => void;
}

interface ListeningPort {
  readonly url: string;
  /** The port that was given, or a free one in place of 0. */
  readonly port: number;
}

export interface PortServerParts {
  readonly options: ServerOptions;
  readonly tls: TlsServerConfig | undefined;
  readonly system: Host;
  readonly log: Log;
  readonly refusals: RefusalLog;
}

/** Throws `TlsFilesRejected`. */
export function openPortServer(parts: PortServerParts): PortServer {
  const { options, tls, system } = parts;
  if (tls !== undefined) return openTlsServer({ ...parts, tls });
  const server = system.http.createServer(options);
  const closeConnections = () => server.closeAllConnections();
  const listenPlain = (host: string, port: number) => listen(server, host, port);
  return { server, listen: listenPlain, warning: () => null, close: () => undefined, closeConnections };
}

function openTlsServer(parts: PortServerParts & { readonly tls: TlsServerConfig }): PortServer {
  const { options, tls, system, log, refusals } = parts;
  const files = new RenewableFiles(() => readTlsServer(tls, system));
  const clientAuth = clientAuthOf(tls);
  const server = system.http.createTlsServer({
    ...options,
    ...contextOf(tls, files.current),
    handshakeTimeout: HANDSHAKE_MILLISECONDS,
    requestCert: clientAuth !== "none",
    rejectUnauthorized: clientAuth === "require",
  });
  const addresses = new WeakMap<Socket, string>();
  const refuse = (socket: TLSSocket, problem: string) => {
    const address = addresses.get(carrierOf(socket)) ?? "";
    // Node closes a connection with a bad certificate before it tells of that as a lost one.
    const { authorizationError: fault } = socket;
    const reason = fault == null ? problem : `the client's certificate is not valid: ${fault}`;
    refusals.write(null, "other", () => ({ address, reason: `TLS handshake failed: ${reason}` }));
    socket.destroy();
  };
  // Runs before Node hands the error on as one of a client's request.
  server.prependListener("tlsClientError", (error, socket) => refuse(socket, error.message));
  // Runs before HTTP sees the connection.
  server.prependListener("secureConnection", (socket) => {
    if (clientAuth !== "optional" || socket.authorized || !hasCertificate(socket)) return;
    refuse(socket, "the client's certificate is not valid");
  });
  const check = () => {
    const renewal = files.check();
    if (renewal.kind === "rejected") {
      const { problem } = renewal;
      log.warn({ problem }, "renewed TLS files cannot be used: the certificate before them stays in use");
    }
    if (renewal.kind !== "renewed") return;
    server.setSecureContext(contextOf(tls, renewal.value));
    log.info({ file: tls.certChainFile }, "renewed TLS files are in use for new connections");
  };
  const close = startInterval(check, TLS_CHECK_MILLISECONDS, system.timers);
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    addresses.set(socket, callerAddressOf(socket));
    socket.once("close", () => sockets.delete(socket));
  });
  const closeConnections = () => {
    server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
  };
  const listenTls = (host: string, port: number) =>
    listen(server, host, port, "https").catch((error: unknown) => {
      close();
      throw error;
    });
  return { server, listen: listenTls, warning: () => files.problem, close, closeConnections };
}

/** Rejects if the port is in use. */
export async function listen(
  server: Server,
  host: string,
  port: number,
  scheme: "http" | "https" = "http",
): Promise<ListeningPort> {
  await untilListening(server, (done) => server.listen(port, host, done));
  const { port: given } = server.address() as AddressInfo;
  return { url: `${scheme}://${host.includes(":") ? `[${host}]` : host}:${given}`, port: given };
}

/** Rejects if there is a file at that path. The URL is for clients that are opened with the same socket. */
export async function listenOnSocket(server: Server, socketPath: string): Promise<ListeningPort> {
  await untilListening(server, (done) => server.listen(socketPath, done));
  return { url: "http://localhost", port: 0 };
}

function untilListening(server: Server, begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    begin(resolve);
  });
}

/** Without authorities no client certificate could be valid, so none is asked for. */
function clientAuthOf({ clientAuth, trustCollectionFile }: TlsServerConfig): "none" | "optional" | "require" {
  if (trustCollectionFile === undefined) return "none";
  return clientAuth?.type ?? "optional";
}

function contextOf({ minimumProtocolVersion = "TLSv1.2" }: TlsServerConfig, files: ServerCertificates) {
  return { ...files, minVersion: minimumProtocolVersion };
}

/** The socket below TLS, under the name that Node has for it. TLS knows no address of a client that has gone. */
function carrierOf(socket: TLSSocket & { readonly _parent?: Socket }): Socket {
  return socket._parent ?? socket;
}

function hasCertificate(socket: TLSSocket): boolean {
  return socket.getPeerX509Certificate() !== undefined;
}
