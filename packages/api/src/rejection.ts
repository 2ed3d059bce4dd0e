/** An answer that is not a success, as plain data for whatever server sends it. */
export interface Rejection {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function jsonRejection(status: number, body: unknown): Rejection {
  return encodedRejection(status, JSON.stringify(body));
}

/** The body is JSON already. */
export function encodedRejection(status: number, body: string): Rejection {
  return { status, headers: { "content-type": "application/json" }, body };
}

export function textRejection(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Rejection {
  return { status, headers: { "content-type": "text/plain; charset=UTF-8", ...headers }, body };
}

/** The result of parsing a part of a request. `refusal` is the answer to a request that cannot be parsed. */
export type Received<T, Refusal> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal };
