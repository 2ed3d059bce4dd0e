/** A websocket as its reader has it: frames one after another, and how it ended. */
import type { IncomingMessage } from "node:http";
import { type ClientOptions, WebSocket } from "ws";

export interface Opening extends ClientOptions {
  readonly token?: string;
  readonly protocols?: readonly string[];
  /** Sent as soon as it is open. */
  readonly request?: unknown;
}

export interface Refused {
  readonly status: number;
  readonly json: unknown;
  readonly text: string;
}

export class WebsocketReader {
  readonly socket: WebSocket;
  readonly frames: unknown[] = [];
  readonly closed: Promise<number>;
  readonly #refused: Promise<Refused>;
  #wake: () => void = () => undefined;
  #isClosed = false;

  constructor(url: string, { token, protocols, request, ...options }: Opening = {}) {
    const offered =
      protocols ?? (token === undefined ? ["daml.ws.auth"] : [`jwt.token.${token}`, "daml.ws.auth"]);
    this.socket = new WebSocket(url.replace(/^http/, "ws"), [...offered], options);
    this.closed = new Promise((resolve) => {
      this.socket.on("close", (code) => {
        this.#isClosed = true;
        this.#wake();
        resolve(code);
      });
    });
    this.#refused = new Promise((resolve) => {
      this.socket.on("unexpected-response", (_, answer) => resolve(readAnswer(answer)));
    });
    this.socket.on("error", () => undefined);
    this.socket.on("message", (data) => {
      this.frames.push(JSON.parse(data.toString()));
      this.#wake();
    });
    if (request !== undefined) this.socket.on("open", () => this.socket.send(JSON.stringify(request)));
  }

  async opened(): Promise<this> {
    const outcome = await this.#outcome();
    if (outcome !== "open") throw new Error(`it was not opened: ${JSON.stringify(outcome)}`);
    return this;
  }

  async isOpened(): Promise<boolean> {
    return (await this.#outcome()) === "open";
  }

  /** The answer in place of an upgrade. */
  async refused(): Promise<Refused> {
    const outcome = await this.#outcome();
    if (typeof outcome !== "object") throw new Error(`it was not refused: ${JSON.stringify(outcome)}`);
    return outcome;
  }

  #outcome(): Promise<"open" | Refused | number> {
    if (this.socket.readyState === WebSocket.OPEN) return Promise.resolve("open");
    const open = new Promise<"open">((resolve) => this.socket.once("open", () => resolve("open")));
    return Promise.race([open, this.#refused, this.closed]);
  }

  /** The first frame not taken yet for which the condition holds; those before it are passed over. */
  async next<T>(find: (frame: unknown) => T | undefined): Promise<T> {
    for (;;) {
      for (let frame = this.frames.shift(); frame !== undefined; frame = this.frames.shift()) {
        const found = find(frame);
        if (found !== undefined) return found;
      }
      if (this.#isClosed) throw new Error("it was closed before");
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Everything until the end. */
  async rest(): Promise<readonly unknown[]> {
    await this.closed;
    return this.frames;
  }
}

async function readAnswer(answer: IncomingMessage): Promise<Refused> {
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  return { status: answer.statusCode ?? 0, json: parse(text), text };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
