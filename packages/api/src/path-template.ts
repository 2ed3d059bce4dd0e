/**
 * Paths such as `/v0/ans-entries/by-name/{name}`. A parameter is one whole segment; it is percent-decoded after
 * the path was split, so that `%2F` is part of a value and `/` never is. An empty segment matches no parameter.
 */

export type Segment = { readonly literal: string } | { readonly parameter: string };

/** Templates are constants of our source, so that what was parsed once can be kept. */
const parsedTemplates = new Map<string, readonly Segment[]>();

export function parsePathTemplate(template: string): readonly Segment[] {
  const known = parsedTemplates.get(template);
  if (known !== undefined) return known;
  const segments = template
    .slice(1)
    .split("/")
    .map((part) => (part.startsWith("{") ? { parameter: part.slice(1, -1) } : { literal: part }));
  parsedTemplates.set(template, segments);
  return segments;
}

export function listPathParameters(template: string): string[] {
  return parsePathTemplate(template).flatMap((segment) =>
    "parameter" in segment ? [segment.parameter] : [],
  );
}

export function formatPath(template: string, params: Readonly<Record<string, unknown>>): string {
  const parts = parsePathTemplate(template).map((segment) =>
    "literal" in segment ? segment.literal : encodeURIComponent(String(params[segment.parameter])),
  );
  return `/${parts.join("/")}`;
}

/** The parameters as they stand in the path, still encoded; undefined if the path does not fit. */
export function matchSegments(
  segments: readonly Segment[],
  parts: readonly string[],
): Record<string, string> | undefined {
  if (parts.length !== segments.length) return undefined;
  if (!segments.every((segment, index) => isMatch(segment, parts[index] ?? ""))) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries())
    if ("parameter" in segment) params[segment.parameter] = parts[index] ?? "";
  return params;
}

function isMatch(segment: Segment, part: string): boolean {
  return "literal" in segment ? segment.literal === part : part !== "";
}

/** Undefined if the text is not valid percent-encoded UTF-8. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
