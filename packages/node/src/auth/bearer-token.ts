/** The token of an `Authorization` header: none with another scheme, malformed if `Bearer` has no token. */
export type BearerToken =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" }
  | { readonly kind: "token"; readonly token: string };

const BEARER = /^Bearer(?: +(.*))?$/i;

export function readBearerToken(authorization: string | undefined): BearerToken {
  const match = authorization === undefined ? null : BEARER.exec(authorization.trim());
  if (match === null) return { kind: "none" };
  const token = match[1] ?? "";
  return token === "" || /\s/.test(token) ? { kind: "malformed" } : { kind: "token", token };
}
