/** Page tokens: URL-safe base64, with padding, of a protobuf message whose field 1 is the last item's id. */
import { MAX_PAGE_TOKEN } from "../limits/limits.ts";

const FIELD_1_TEXT = 0x0a;
const BASE64_URL = /^[A-Za-z0-9_-]+={0,2}$/;

export function formatPageToken(id: string): string {
  const text = Buffer.from(id);
  const length = text.length < 128 ? [text.length] : [(text.length & 0x7f) | 0x80, text.length >> 7];
  const bytes = Buffer.concat([Buffer.from([FIELD_1_TEXT, ...length]), text]);
  return bytes.toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}

/** Returns the id; empty for the first page, undefined for an invalid token. */
export function parsePageToken(token: string): string | undefined {
  if (token === "") return "";
  if (token.length > MAX_PAGE_TOKEN || !BASE64_URL.test(token)) return undefined;
  const bytes = Buffer.from(token, "base64url");
  const [tag, first = 0, second = 0] = bytes;
  const long = first >= 128;
  const length = long ? (first & 0x7f) | (second << 7) : first;
  const text = bytes.subarray(long ? 3 : 2);
  if (tag !== FIELD_1_TEXT || text.length !== length || length === 0) return undefined;
  return text.toString("utf8");
}
