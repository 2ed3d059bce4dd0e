/**
 * The lookup channels of one port (decision 0069). A channel gives the answers of the fast lane, many in one packet, or those
 * of operations that are mounted for it, and leaves every other question to a request. Rates, metrics and refusals are
 * counted as those of requests.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import {
  CHANNEL_MOVED,
  CHANNEL_TELLS,
  formatChannelAnswer,
  LOOKUP_CHANNEL_PATH,
  LOOKUP_CHANNEL_PROTOCOL,
  parseQuestion,
} from "@callsign/api";
import { LineBuffer } from "../waiting/line-buffer.ts";
import type { CallSetting } from "./arrival.ts";
import type { CallMetrics } from "./call-metrics.ts";
import { callerAddressOf } from "./caller-address.ts";
import { CallEnd } from "./calls.ts";
import { ChannelCalls } from "./channel-calls.ts";
import { dialectOf } from "./dialect.ts";
import type { FastLane } from "./fast-lane.ts";
import { readIncoming } from "./incoming.ts";
import {
  LOOKUP_CHANNEL_IDLE_MILLISECONDS,
  MAX_LOOKUP_CHANNELS,
  MAX_OPEN_QUESTIONS,
  MAX_QUESTION_LENGTH,
} from "./limits.ts";
import type { MountedApi } from "./mount-api.ts";
import { endWithAnswer } from "./raw-answer.ts";
import { writeInTurn, writeWhileTaken } from "./write-in-turn.ts";

const ACCEPTED = `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${LOOKUP_CHANNEL_PROTOCOL}\r\n\r\n`;

interface OpenChannel {
  readonly socket: Socket;
  readonly mount: MountedApi;
  readonly address: string;
  /** True if it has given answers since it last said that they may be others. */
  hasAnswered: boolean;
  /** Calls that wait for their handlers. */
  readonly calls: Set<CallEnd>;
  /** The answer to the last question. */
  last: Promise<void>;
}

export class LookupChannels {
  readonly #fastLane: FastLane;
  readonly #calls: ChannelCalls;
  readonly #setting: CallSetting;
  readonly #mounts: ReadonlyMap<string, MountedApi>;
  readonly #open = new Set<OpenChannel>();
  #isClosing = false;

  constructor(
    mounts: readonly MountedApi[],
    fastLane: FastLane,
    setting: CallSetting,
    metrics: CallMetrics | undefined,
  ) {
    this.#fastLane = fastLane;
    this.#calls = new ChannelCalls(setting, metrics);
    this.#setting = setting;
    const offered = mounts.filter(
      ({ hasReadyChannel, channelled }) => hasReadyChannel === true || channelled !== undefined,
    );
    this.#mounts = new Map(offered.map((mount) => [mount.api.basePath + LOOKUP_CHANNEL_PATH, mount]));
    for (const mount of offered) mount.onReadyChanged?.(() => this.#tell(mount));
  }

  /** Every other request is answered as if it had not asked for a channel. */
  accepts({ method, url = "", headers }: IncomingMessage): boolean {
    const isAsked = method === "GET" && headers.upgrade?.toLowerCase() === LOOKUP_CHANNEL_PROTOCOL;
    if (!isAsked || this.#isClosing || this.#open.size >= MAX_LOOKUP_CHANNELS) return false;
    return this.#mounts.has(url) && this.#setting.findForeign(headers.host, headers.origin) === null;
  }

  /** Serves a request that is accepted. */
  open(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const mount = this.#mounts.get(request.url ?? "");
    if (mount === undefined) return void socket.destroy();
    const address = callerAddressOf(socket);
    const { rates, refusals, system } = this.#setting;
    const retryAfter = rates.countAddress(address);
    if (retryAfter !== null) {
      const { traceId } = readIncoming(request, system);
      const rejection = dialectOf(mount.api).tooOften(traceId, retryAfter);
      refusals.write(rejection.status, "other", () => ({ traceId, address, reason: "calls of one address" }));
      return void endWithAnswer(socket, rejection);
    }
    const channel: OpenChannel = {
      ...{ socket, mount, address, hasAnswered: false },
      ...{ calls: new Set(), last: Promise.resolve() },
    };
    this.#open.add(channel);
    socket.once("close", () => {
      this.#open.delete(channel);
      for (const call of channel.calls) call.abort();
    });
    socket.once("error", () => socket.destroy());
    socket.setTimeout(LOOKUP_CHANNEL_IDLE_MILLISECONDS, () => socket.destroy());
    socket.setNoDelay(true);
    if (head.length > 0) socket.unshift(head);
    socket.write(mount.onReadyChanged === undefined ? ACCEPTED : `${ACCEPTED}${CHANNEL_TELLS}\n`);
    const lines = new LineBuffer(MAX_QUESTION_LENGTH);
    // Targets and headers are ASCII: any split of their bytes is one of characters.
    socket.on("data", (piece: Buffer) =>
      this.#attempt(channel, () => this.#answer(lines.add(piece.toString("latin1")), channel)),
    );
    socket.once("end", () => socket.end());
  }

  close(): void {
    this.#isClosing = true;
    for (const { socket } of this.#open) socket.destroy();
  }

  /** Closes a channel whose caller does not keep to the protocol. */
  #attempt({ socket, address }: OpenChannel, work: () => void): void {
    try {
      work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : "unknown";
      this.#setting.refusals.write(null, "other", () => ({ address, reason }));
      socket.destroy();
    }
  }

  #answer(lines: readonly string[], channel: OpenChannel): void {
    if (channel.mount.channelled === undefined) this.#giveReady(lines, channel);
    else for (const line of lines) this.#call(line, channel);
  }

  /** About as many answers at once as the socket holds: short questions may have long answers. */
  #giveReady(lines: readonly string[], channel: OpenChannel): void {
    const { socket, mount, address } = channel;
    let at = 0;
    writeWhileTaken(socket, () => {
      let answers = "";
      this.#attempt(channel, () => {
        for (; at < lines.length && answers.length < socket.writableHighWaterMark; at++)
          answers += formatChannelAnswer(
            this.#fastLane.answer(mount, parseQuestion(lines[at] ?? ""), address),
          );
      });
      if (answers === "" || socket.destroyed) return null;
      channel.hasAnswered = true;
      return answers;
    });
  }

  /** Answers are written in the order of the questions. */
  #call(line: string, channel: OpenChannel): void {
    const { mount, address, calls, last } = channel;
    if (calls.size >= MAX_OPEN_QUESTIONS)
      throw new Error(
        `a lookup channel has more than ${MAX_OPEN_QUESTIONS} questions open: wait for answers`,
      );
    const end = new CallEnd();
    calls.add(end);
    const answer = this.#calls.answer(mount, parseQuestion(line), { address, end });
    channel.last = last.then(async () => {
      const text = formatChannelAnswer(await answer);
      calls.delete(end);
      if (channel.socket.writable) writeInTurn(channel.socket, text);
    });
  }

  /** Once after answers, however often they change: whoever was told asks again. */
  #tell(mount: MountedApi): void {
    for (const channel of this.#open) {
      if (channel.mount !== mount || !channel.hasAnswered) continue;
      channel.hasAnswered = false;
      channel.socket.write(`${CHANNEL_MOVED}\n`);
    }
  }
}
