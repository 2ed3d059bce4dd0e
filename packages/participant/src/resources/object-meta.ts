/** The metadata that parties and users share: reading it from requests, and changing it. */
import type { ObjectMeta } from "@callsign/api";
import { MAX_ANNOTATIONS_BYTES } from "../limits/limits.ts";
import { invalidArgument, invalidField } from "../requests/identifiers.ts";
import {
  type Annotations,
  findAnnotationsFault,
  findEmptyValue,
  mergeAnnotations,
  parseResourceVersion,
  sizeOf,
} from "./annotations.ts";

export interface ResourceMetadata {
  readonly resourceVersion: bigint;
  readonly annotations: Annotations;
}

/** A new resource has no version, and no annotation that an empty value could remove. */
export function readNewAnnotations(given: ObjectMeta | null, field: string): Annotations {
  const { annotations = {}, resourceVersion = "" } = given ?? {};
  if (resourceVersion !== "") throw invalidArgument(`field ${field}.resource_version must be not set`);
  const fault = findAnnotationsFault(annotations, `${field}.annotations`) ?? findEmptyValue(annotations);
  if (fault !== null) throw invalidArgument(fault);
  return annotations;
}

/** `field` and `versionField` are the names of the metadata and its version in error texts. */
export function readChange(
  given: ObjectMeta | null,
  { field, versionField }: { readonly field: string; readonly versionField: string },
): { readonly version: bigint | null; readonly annotations: Annotations } {
  const { annotations = {}, resourceVersion = "" } = given ?? {};
  const version = parseResourceVersion(resourceVersion);
  if (version === undefined) throw invalidField(versionField, "Invalid resource version number");
  const fault = findAnnotationsFault(annotations, `${field}.annotations`);
  if (fault !== null) throw invalidArgument(fault);
  return { version, annotations };
}

/** Every change raises the version, even if nothing differs. A given version must be the present one. */
export function changeMetadata(
  present: ResourceMetadata,
  given: { readonly version: bigint | null; readonly annotations: Annotations },
): ResourceMetadata | "concurrent" | "too-large" {
  if (given.version !== null && given.version !== present.resourceVersion) return "concurrent";
  const annotations = mergeAnnotations(present.annotations, given.annotations);
  if (sizeOf(annotations) > MAX_ANNOTATIONS_BYTES) return "too-large";
  return { resourceVersion: present.resourceVersion + 1n, annotations };
}
