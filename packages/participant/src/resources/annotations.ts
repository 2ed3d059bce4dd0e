/**
 * Metadata of parties and users: annotations, and a version that counts changes.
 *
 * A key is `[prefix/]name`. The prefix has at most 253 characters: labels with dots between, each of letters, digits
 * and inner hyphens. The name has 1 to 63 characters: letters and digits, and inside also `.`, `-`, `_`. All keys and
 * values together have at most 256 KiB.
 */
import { MAX_ANNOTATION_NAME, MAX_ANNOTATION_PREFIX, MAX_ANNOTATIONS_BYTES } from "../limits/limits.ts";

export type Annotations = Readonly<Record<string, string>>;

const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
const PREFIX = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;

/** Returns the fault of annotations in a request, or null. `field` is their name in error texts. */
export function findAnnotationsFault(annotations: Annotations, field: string): string | null {
  if (sizeOf(annotations) > MAX_ANNOTATIONS_BYTES) {
    return `annotations from field '${field}' are larger than the limit of 256kb`;
  }
  for (const key of Object.keys(annotations)) {
    const fault = findKeyFault(key);
    if (fault !== null) return fault;
  }
  return null;
}

/** Returns the fault of an empty value: for a new resource there is nothing that it could remove. */
export function findEmptyValue(annotations: Annotations): string | null {
  const empty = Object.entries(annotations).find(([, value]) => value === "");
  return empty === undefined ? null : `The value of an annotation is empty for key: '${shortened(empty[0])}'`;
}

/** Entries with an empty value do not count: they remove their key. */
export function sizeOf(annotations: Annotations): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) {
    if (value !== "") bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  return bytes;
}

/** Existing annotations overlaid with the given ones; an empty value removes its key. */
export function mergeAnnotations(existing: Annotations, given: Annotations): Annotations {
  return Object.fromEntries(
    Object.entries({ ...existing, ...given })
      .filter(([, value]) => value !== "")
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** A version is empty (null) or a signed 64-bit integer; undefined if the text is neither. */
export function parseResourceVersion(text: string): bigint | null | undefined {
  if (text === "") return null;
  if (!/^[+-]?\d{1,64}$/.test(text)) return undefined;
  const version = BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, version) === version ? version : undefined;
}

function findKeyFault(key: string): string | null {
  const segments = key.split("/");
  // A slash at the end is ignored; a key of slashes alone has too many.
  while (segments.length > 1 && segments.at(-1) === "") segments.pop();
  if (segments.length > 2 || (key.includes("/") && segments[0] === "" && segments.length === 1))
    return `Key '${shortened(key)}' contains more than one forward slash ('/') character`;
  const name = segments.at(-1) ?? "";
  const prefix = segments.length === 2 ? (segments[0] ?? "") : null;
  if (prefix !== null && prefix.length > MAX_ANNOTATION_PREFIX) {
    return `Key prefix segment '${shortened(prefix)}' exceeds maximum length of ${MAX_ANNOTATION_PREFIX} characters`;
  }
  if (prefix !== null && !PREFIX.test(prefix))
    return `Key prefix segment '${shortened(prefix)}' has invalid syntax`;
  if (name.length > MAX_ANNOTATION_NAME) {
    return `Key name segment '${shortened(name)}' exceeds maximum length of ${MAX_ANNOTATION_NAME} characters`;
  }
  return NAME.test(name) ? null : `Key name segment '${shortened(name)}' has invalid syntax`;
}

function shortened(text: string): string {
  return text.length > 53 ? `${text.slice(0, 50)}...` : text;
}
