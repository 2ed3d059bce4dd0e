// Absolute http and https URIs, accepted and refused as java.net.URI does: RFC 2396 with that class's
// deviations. Only the question "is it one?" is answered; nothing is decoded, resolved or normalised.
//
//   uri       = ("http" | "https", in any case) ":" ( opaque | hierarchy [ "?" query ] ) [ "#" fragment ]
//   opaque    = one or more legal characters, the first not "/"           http:foo is a URI, http: is not
//   hierarchy = "//" [ authority ] path | path, the path empty or starting with "/"
//   authority = registry name | [ user info "@" ] "[" IPv6 literal "]" [ ":" [ port ] ]
//
// Deviations worth knowing: legal characters include everything outside ASCII except spaces and control
// characters; a host with a port, an IPv4 address or a user needs no rule of its own, since each is a legal
// registry name too (as are `a_b` and `a:port`); `http:///`, `http://?q` and `http://#f` have no authority and
// are accepted, `http://` is not; brackets are legal in a query, a fragment and an opaque part.
//
// Splice itself parses urls with Pekko, by RFC 3986, which differs at the edges: as its source reads, it takes
// `http:` and `http://a/|`, and refuses everything outside ASCII.
import { isIpv6Literal } from "./ipv6-literal.ts";

const ALPHANUMERIC_AND_MARKS = "A-Za-z0-9_.!~*'()\\-";

// UTF-16 code units from U+00A1, without the space, line and paragraph separators between them.
const OUTSIDE_ASCII =
  "\\u00a1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\uffff";

/** Any number of: letters, digits, marks, characters outside ASCII, those given, "%" and two hex digits. */
function anyNumberOf(others: string): RegExp {
  return new RegExp(`^(?:[${ALPHANUMERIC_AND_MARKS}${OUTSIDE_ASCII}${others}]|%[0-9A-Fa-f]{2})*$`);
}

const LEGAL = anyNumberOf(";/?:@&=+$,\\[\\]");
const PATH = anyNumberOf(";/:@&=+$,");
const REGISTRY_NAME = anyNumberOf(";:@&=+$,");
const USER_INFO = anyNumberOf(";:&=+$,");

// "http" or "https" in capital or small letters, then a colon.
const SCHEME = /^https?:/i;

// Something in brackets, then nothing, or a colon with any number of digits.
const BRACKETED_HOST = /^\[([^\]]*)\](?::([0-9]*))?$/;

const LARGEST_PORT = 2_147_483_647;

export function isHttpUri(text: string): boolean {
  const scheme = SCHEME.exec(text)?.[0];
  if (scheme === undefined) return false;
  const [specific, fragment] = splitAtFirst("#", text.slice(scheme.length));
  if (fragment !== null && !LEGAL.test(fragment)) return false;
  if (!specific.startsWith("/")) return specific !== "" && LEGAL.test(specific);
  if (specific === "//" && fragment === null) return false;
  const [hierarchy, query] = splitAtFirst("?", specific);
  if (query !== null && !LEGAL.test(query)) return false;
  if (!hierarchy.startsWith("//")) return PATH.test(hierarchy);
  const [authority, path] = splitAtFirst("/", hierarchy.slice(2));
  return isAuthority(authority) && PATH.test(path ?? "");
}

function isAuthority(text: string): boolean {
  if (!text.includes("[") && !text.includes("]")) return REGISTRY_NAME.test(text);
  const at = text.indexOf("@");
  if (at >= 0 && !USER_INFO.test(text.slice(0, at))) return false;
  const host = BRACKETED_HOST.exec(text.slice(at + 1));
  return host !== null && isIpv6Literal(host[1] ?? "") && Number(host[2] ?? "0") <= LARGEST_PORT;
}

/** The parts before and after the first separator; null if there is none. */
function splitAtFirst(separator: string, text: string): [string, string | null] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, null] : [text.slice(0, index), text.slice(index + 1)];
}
