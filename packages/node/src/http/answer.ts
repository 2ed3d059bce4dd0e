/** A handler's answer: the value that its table promises, or its JSON text. */
import type { Endpoint, ResponseOf } from "@callsign/api";
import type { EventStream } from "./event-stream.ts";

/** JSON text of the response, kept or made elsewhere: a very long one in UTF-8, so that no turn encodes all of it. */
export class RawJson {
  readonly text: string | Buffer;

  constructor(text: string | Buffer) {
    this.text = text;
  }
}

/** An answer with headers of its own, or another status. */
export class Reply<T> {
  readonly answer: T | RawJson;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    answer: T | RawJson,
    { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
  ) {
    this.answer = answer;
    this.status = status;
    this.headers = headers;
  }
}

export type Answer<E extends Endpoint> = ResponseOf<E> | RawJson | Reply<ResponseOf<E>> | EventStream;
