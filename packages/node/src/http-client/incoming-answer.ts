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
    if (status >= 200) this.#resolve(this.#response(status, headers));
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

  /** The bytes since the last call, after a wait if there are none; undefined at the end. */
  async #next(): Promise<Buffer | undefined> {
    while (this.#chunks.length === 0 && this.#end === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    if (this.#end !== undefined && "error" in this.#end) throw this.#end.error;
    const [first, ...rest] = this.#chunks.splice(0);
    this.#unread = 0;
    if (this.#controller?.paused === true) this.#controller.resume();
    return first === undefined || rest.length === 0 ? first : Buffer.concat([first, ...rest]);
  }

  async #text(): Promise<string> {
    const read: Buffer[] = [];
    for (let chunk = await this.#next(); chunk !== undefined; chunk = await this.#next()) read.push(chunk);
    const [first, ...rest] = read;
    if (first === undefined) return "";
    return new TextDecoder().decode(rest.length === 0 ? first : Buffer.concat(read));
  }

  #response(status: number, headers: Headers): Response {
    const cancel = async () => {
      if (this.#end === undefined) this.#abort(new Error("the reader cancelled the body"));
    };
    const read = async () => {
      const value = await this.#next();
      return value === undefined ? { done: true } : { done: false, value };
    };
    const response = {
      status,
      ok: status >= 200 && status < 300,
      headers: { get: (name: string) => headers[name] ?? null },
      text: () => this.#text(),
      body: { cancel, getReader: () => ({ read, cancel }) },
    };
    return response as unknown as Response;
  }
}
