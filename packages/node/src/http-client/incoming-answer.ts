/**
 * One answer as undici hands it over: status, headers and a body, whole or chunk by chunk, as much of a `Response` as our
 * clients read. undici's own `request` makes a stream of every body, which costs as much as the rest of a short call. A
 * body that nobody reads stops at a few chunks. The signal holds until the body has ended, and before there is a connection.
 */
import { onAbort } from "../waiting/abort.ts";

/** The part of undici's controller that is used. */
interface Controller {
  readonly paused: boolean;
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const UTF8 = new TextDecoder();

/** The connection pauses beyond so many bytes that nobody has read. */
const MAX_UNREAD_BYTES = 64 * 1024;

export class IncomingAnswer {
  /** Resolves when status and headers are there; rejects if the call fails before. */
  readonly head: Promise<Response>;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (error: unknown) => void;
  readonly #chunks: Buffer[] = [];
  readonly #stopListening: () => void = () => undefined;
  #unread = 0;
  #controller: Controller | undefined;
  #abortedBy: { readonly reason: Error } | undefined;
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal | null) {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    this.head = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#stopListening = onAbort(signal ?? undefined, () => this.#abort(signal?.reason));
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#abortedBy !== undefined) controller.abort(this.#abortedBy.reason);
  }

  onResponseStart(_: Controller, status: number, headers: Headers): void {
    // Another answer follows an informational one.
    if (status >= 200) this.#resolve(new AnswerResponse(this, status, headers) as unknown as Response);
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#unread += chunk.length;
    if (this.#unread > MAX_UNREAD_BYTES) controller.pause();
    this.#wake?.();
  }

  onResponseEnd(): void {
    this.#finish({});
  }

  onResponseError(_: Controller, error: unknown): void {
    this.#fail(error);
  }

  #fail(error: unknown): void {
    this.#reject(error);
    this.#finish({ error });
  }

  #finish(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#stopListening();
    this.#wake?.();
  }

  #abort(reason: Error): void {
    this.#abortedBy ??= { reason };
    this.#controller?.abort(reason);
    // undici reports an abort only once its connection is there.
    this.#fail(reason);
  }

  /** As a reader of a `Response` reads: the bytes since the last call, after a wait if there are none. */
  async read(): Promise<{ readonly done: boolean; readonly value?: Buffer }> {
    while (this.#chunks.length === 0 && this.#end === undefined) await this.#arrival();
    const chunks = this.#take();
    return chunks.length === 0 ? { done: true } : { done: false, value: joined(chunks) };
  }

  /** Waits for nothing if the whole body is there, as that of a short answer is. */
  async readText(): Promise<string> {
    const chunks: Buffer[] = [];
    while (this.#end === undefined) {
      // A body that has paused goes on when its bytes are taken.
      if (this.#chunks.length === 0) await this.#arrival();
      chunks.push(...this.#take());
    }
    chunks.push(...this.#take());
    return UTF8.decode(joined(chunks));
  }

  async cancel(): Promise<void> {
    if (this.#end === undefined) this.#abort(new Error("the reader cancelled the body"));
  }

  /** Resolves with the next bytes, or the end. */
  #arrival(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }

  /** The bytes since the last call. Throws if the call has failed. */
  #take(): Buffer[] {
    if (this.#end !== undefined && "error" in this.#end) throw this.#end.error;
    const chunks = this.#chunks.splice(0);
    this.#unread = 0;
    if (this.#controller?.paused === true) this.#controller.resume();
    return chunks;
  }
}

function joined(chunks: Buffer[]): Buffer {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}

/** As much of a `Response` as our clients read. */
class AnswerResponse {
  readonly status: number;
  readonly headers: { readonly get: (name: string) => string | string[] | null };
  readonly #answer: IncomingAnswer;

  constructor(answer: IncomingAnswer, status: number, headers: Headers) {
    this.status = status;
    this.headers = { get: (name) => headers[name] ?? null };
    this.#answer = answer;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  text(): Promise<string> {
    return this.#answer.readText();
  }

  get body() {
    const read = () => this.#answer.read();
    const cancel = () => this.#answer.cancel();
    return { cancel, getReader: () => ({ read, cancel }) };
  }
}
