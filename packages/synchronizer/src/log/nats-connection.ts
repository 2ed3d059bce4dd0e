/**
 * A connection to one of several NATS servers, made anew by the next call after it was lost. The client's own reconnecting is
 * off: it would send batches that it kept back, long after their term was checked.
 */

import { ClientTls, DatabaseRefused, errorCodeOf, explainTlsFailure, type Host } from "@callsign/node";
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { AuthorizationError, connect, type NatsConnection, type TlsOptions } from "@nats-io/transport-node";
import { LARGEST_MESSAGE_BYTES, NATS_TIMEOUT_MILLISECONDS } from "../limits/limits.ts";
import { type NatsLogConfig, type NatsUser, storedSubjectOf } from "./nats-config.ts";

export interface NatsLink {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly client: JetStreamClient;
  /** A connection to the same server as another user. */
  readonly connectAs: (login: NatsUser) => Promise<NatsConnection>;
}

/** The position of the message that a server says it stored. */
type OnStored = (position: number) => void;

export class NatsConnector {
  readonly #config: NatsLogConfig;
  readonly #onStored: OnStored;
  readonly #tls: ClientTls;
  #link: Promise<NatsLink> | null = null;
  #next = 0;
  #isClosed = false;

  /** Throws a `TlsFilesRejected`. */
  constructor(config: NatsLogConfig, onStored: OnStored, host: Host) {
    this.#config = config;
    this.#tls = new ClientTls(config.tls ?? {}, host);
    this.#onStored = onStored;
  }

  get(): Promise<NatsLink> {
    if (this.#isClosed) return Promise.reject(new Error("the log is closed"));
    if (this.#link !== null) return this.#link;
    const link = this.#open();
    const forget = () => {
      if (this.#link === link) this.#link = null;
    };
    link.then(({ connection }) => connection.closed()).then(forget, forget);
    this.#link = link;
    return link;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const link = await this.#link?.catch(() => null);
    await link?.connection.close();
  }

  /** Tries each server once, beginning with the one behind the last that was tried. */
  async #open(): Promise<NatsLink> {
    const { servers } = this.#config;
    const first = this.#next;
    const inTurn = [...servers.slice(first), ...servers.slice(0, first)];
    let failure: unknown = new Error("no server is named");
    for (const server of inTurn) {
      this.#next = (this.#next + 1) % servers.length;
      try {
        return await this.#openTo(server);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  async #openTo(server: string): Promise<NatsLink> {
    const { stream, login } = this.#config;
    const connectAs = (user: NatsUser | undefined) => connectTo(server, user, this.#tls);
    const connection = await connectAs(login);
    const largest = connection.info?.max_payload ?? 0;
    if (largest < LARGEST_MESSAGE_BYTES) {
      await connection.close();
      throw new DatabaseRefused(describePayload(server, largest));
    }
    connection.subscribe(storedSubjectOf(stream), {
      callback: (error, message) => {
        if (error === null) this.#onStored(Number(message.headers?.get("Nats-Sequence")));
      },
    });
    const options = { timeout: NATS_TIMEOUT_MILLISECONDS };
    const manager = await jetstreamManager(connection, { ...options, checkAPI: false });
    return { connection, manager, client: jetstream(connection, options), connectAs };
  }
}

export function describePayload(server: string, largest: number): string {
  return (
    `the NATS server ${server} takes messages of ${largest} bytes, and a batch of the log may have ` +
    `${LARGEST_MESSAGE_BYTES}. Set max_payload: ${LARGEST_MESSAGE_BYTES} in its configuration`
  );
}

async function connectTo(
  server: string,
  login: NatsUser | undefined,
  tls: ClientTls,
): Promise<NatsConnection> {
  try {
    return await connect({
      servers: server,
      name: "callsign-log",
      reconnect: false,
      timeout: NATS_TIMEOUT_MILLISECONDS,
      // A server that stands still is noticed within twice this time.
      pingInterval: NATS_TIMEOUT_MILLISECONDS,
      maxPingOut: 1,
      ignoreClusterUpdates: true,
      ...(login === undefined ? {} : { user: login.user, pass: login.password }),
      ...tlsOptionsOf(server, tls),
    });
  } catch (error) {
    throw explainFailure(error, { server, login, tls });
  }
}

/** The client would speak TLS only where the server asks for it, whatever the URL says, unless it is told to. */
function tlsOptionsOf(server: string, tls: ClientTls): { readonly tls?: TlsOptions } {
  const { protocol, hostname } = new URL(server);
  if (protocol !== "tls:") return {};
  // Options of `node:tls`, which the client passes on. Certificates of addresses are checked by `host`.
  const options = { secureContext: tls.context(), host: hostname.replace(/^\[|\]$/g, "") };
  return { tls: options as TlsOptions };
}

interface FailedConnection {
  readonly server: string;
  readonly login: NatsUser | undefined;
  readonly tls: ClientTls;
}

function explainFailure(error: unknown, { server, login, tls }: FailedConnection): unknown {
  if (error instanceof AuthorizationError) {
    const user = login === undefined ? "a client without a user" : `the user ${login.user}`;
    return new DatabaseRefused(`the NATS server ${server} refuses ${user}: ${error.message}`, {
      cause: error,
    });
  }
  if (!server.startsWith("tls:") || !(error instanceof Error)) return error;
  if (error.message.includes("does not support 'tls'"))
    return new DatabaseRefused(
      `the NATS server ${server} does not speak TLS: turn it on there, or write nats://`,
      {
        cause: error,
      },
    );
  const failure = error.cause instanceof Error ? error.cause : error;
  const code = errorCodeOf(failure);
  const reason = explainTlsFailure(failure, { code, target: new URL(server), tls });
  return reason === undefined ? error : new DatabaseRefused(`the log's NATS: ${reason}`, { cause: error });
}
