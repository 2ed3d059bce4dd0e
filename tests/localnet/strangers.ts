/** The kinds of callers: without a token, with an invalid one, and three users who know of each other. */
import type { Endpoint } from "../../packages/api/src/endpoint.ts";
import { formatPath } from "../../packages/api/src/path-template.ts";
import { formatQueryString } from "../../packages/api/src/query-string.ts";
import { TOKEN_AUDIENCE } from "../../packages/localnet/src/tokens.ts";
import { signToken } from "../support/sign-token.ts";

export const STRANGERS = [
  "no token",
  "garbage",
  "wrong signature",
  "wrong audience",
  "expired",
  "unknown user",
  "other user",
  "right user",
  "admin",
] as const;
export type Stranger = (typeof STRANGERS)[number];

/** One for each; a status that is not there is not asked about. */
export type Statuses = Readonly<Partial<Record<Stranger, number>>>;

/** The parts of a request: its endpoint table types them elsewhere. */
export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface Users {
  readonly right: string;
  readonly other: string;
  readonly admin: string;
}

export function tokenOf(stranger: Stranger, { right, other, admin }: Users): string | undefined {
  const claims = { sub: right, aud: TOKEN_AUDIENCE };
  switch (stranger) {
    case "no token":
      return undefined;
    case "garbage":
      return "nonsense";
    case "wrong signature":
      return signToken(claims, { secret: "another secret" });
    case "wrong audience":
      return signToken({ ...claims, aud: "https://example.com" });
    case "expired":
      return signToken({ ...claims, exp: Math.floor(Date.now() / 1000) - 3600 });
    case "unknown user":
      return signToken({ ...claims, sub: "mallory" });
    case "other user":
      return signToken({ ...claims, sub: other });
    case "right user":
      return signToken(claims);
    case "admin":
      return signToken({ ...claims, sub: admin });
  }
}

/** Every status of these is the same for tokens that do not hold. */
export function withoutToken(status: number): Statuses {
  return {
    "no token": status,
    garbage: status,
    "wrong signature": status,
    "wrong audience": status,
    expired: status,
  };
}

export async function send(
  baseUrl: string,
  { method, path }: Endpoint,
  { params = {}, query = {}, body }: Sent,
  token: string | undefined,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(baseUrl + formatPath(path, params) + formatQueryString(query), {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}
