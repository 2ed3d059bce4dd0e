/**
 * The stream that holds the log: one message a batch. Reads of single messages go to the stream's leader; runs of messages
 * come from any replica.
 */
import type { Host } from "@callsign/node";
import { JetStreamApiError, type StoredMsg, type StreamInfo } from "@nats-io/jetstream";
import { headers } from "@nats-io/transport-node";
import { LOG_PAGE, LOG_PAGE_CHARACTERS, NATS_TIMEOUT_MILLISECONDS } from "../limits/limits.ts";
import { type NatsLogConfig, subjectOf } from "./nats-config.ts";
import { NatsConnector, type NatsLink } from "./nats-connection.ts";
import {
  BATCH_HEADER,
  encodePayload,
  formatBatchHeader,
  type PlacedBatch,
  parseBatch,
} from "./nats-message.ts";
import type { LogBatch } from "./ordered-log.ts";

/** The server's answer to a message that expects another one before it. */
const WRONG_LAST_SEQUENCE = 10_071;

/** The part of the stream's state that a log needs. */
export interface StreamOffice {
  /** Names the stream's leader and its time in office; null while there is none. */
  readonly term: string | null;
  /** False if too few replicas are online. */
  readonly hasQuorum: boolean;
}

export class NatsStream {
  readonly #name: string;
  readonly #subject: string;
  readonly #connector: NatsConnector;

  constructor(config: NatsLogConfig, onStored: (position: number) => void, host: Host) {
    this.#name = config.stream;
    this.#subject = subjectOf(config.stream);
    this.#connector = new NatsConnector(config, onStored, host);
  }

  link(): Promise<NatsLink> {
    return this.#connector.get();
  }

  /**
   * The position of the message if it was stored behind the expected one, or null if another message is there. After any
   * error the message may have been stored.
   */
  async publish(batch: LogBatch, expected: number): Promise<number | null> {
    const { client } = await this.link();
    const header = headers();
    header.set(BATCH_HEADER, formatBatchHeader(batch));
    try {
      const { seq } = await client.publish(this.#subject, encodePayload(batch.entries), {
        headers: header,
        expect: { lastSequence: expected, streamName: this.#name },
        timeout: NATS_TIMEOUT_MILLISECONDS,
        retries: 0,
      });
      return seq;
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return null;
      throw error;
    }
  }

  /** The batch at a position or the first one behind it, from the leader; null if there is none. */
  async findFrom(position: number): Promise<PlacedBatch | null> {
    const { manager } = await this.link();
    const query = { seq: position, next_by_subj: this.#subject };
    return parseStored(await manager.streams.getMessage(this.#name, query));
  }

  /** The last batch, from the leader. */
  async findLast(): Promise<PlacedBatch | null> {
    const { manager } = await this.link();
    return parseStored(await manager.streams.getMessage(this.#name, { last_by_subj: this.#subject }));
  }

  /** Batches at a position and behind it, from any replica: it may lack the newest. As many as make about one page. */
  async listFrom(position: number): Promise<readonly PlacedBatch[]> {
    const { connection } = await this.link();
    const query = { seq: position, batch: LOG_PAGE, max_bytes: LOG_PAGE_CHARACTERS };
    const answers = await connection.requestMany(
      `$JS.API.DIRECT.GET.${this.#name}`,
      JSON.stringify(query),
      // The answer ends with an empty message.
      { strategy: "sentinel", maxWait: NATS_TIMEOUT_MILLISECONDS },
    );
    const found: PlacedBatch[] = [];
    for await (const { headers: header, data } of answers) {
      if (header === undefined || header.hasError || data.length === 0) break;
      found.push(
        parseBatch({
          position: Number(header.get("Nats-Sequence")),
          header: header.get(BATCH_HEADER),
          payload: data,
        }),
      );
    }
    return found;
  }

  /** Removes the messages before a position. */
  async purgeBefore(position: number): Promise<void> {
    const { manager } = await this.link();
    await manager.streams.purge(this.#name, { seq: position });
  }

  async readOffice(): Promise<StreamOffice> {
    const { manager } = await this.link();
    return officeOf(await manager.streams.info(this.#name));
  }

  close(): Promise<void> {
    return this.#connector.close();
  }
}

/** A server without a cluster holds its office as long as the stream is there. */
function officeOf({ cluster, created, config }: StreamInfo): StreamOffice {
  const { leader, leader_since: since, replicas = [] } = cluster ?? {};
  if (config.num_replicas === 1 && replicas.length === 0)
    return { term: `${leader ?? "server"} since ${created}`, hasQuorum: true };
  if (leader === undefined || leader === "") return { term: null, hasQuorum: false };
  const online = 1 + replicas.filter(({ offline }) => offline !== true).length;
  return {
    term: since === undefined ? null : `${leader} since ${since}`,
    hasQuorum: online > config.num_replicas / 2,
  };
}

function parseStored(message: StoredMsg | null): PlacedBatch | null {
  if (message === null) return null;
  return parseBatch({
    position: message.seq,
    header: message.header.get(BATCH_HEADER),
    payload: message.data,
  });
}
