/** The metadata that parties and users share: reading it from requests, and changing it. */
import type { ObjectMeta } from "@callsign/api";
import { MAX_ANNOTATIONS_BYTES } from "../limits/limits.ts";
import { failWith, invalidArgument, invalidField } from "../requests/identifiers.ts";
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

const CHANGE_ERRORS = {
  party: ["CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED", "MAX_PARTY_DETAILS_ANNOTATIONS_SIZE_EXCEEDED", "PARTY"],
  user: ["CONCURRENT_USER_UPDATE_DETECTED", "MAX_USER_ANNOTATIONS_SIZE_EXCEEDED", "USER"],
} as const;

/** Every change raises the version, even if nothing differs. A given version must be the present one. */
export function changeMetadata(
  kind: keyof typeof CHANGE_ERRORS,
  id: string,
  present: ResourceMetadata,
  given: { readonly version: bigint | null; readonly annotations: Annotations },
): ResourceMetadata {
  const [concurrent, tooLarge, resource] = CHANGE_ERRORS[kind];
  const resources = [[resource, id]] as const;
  if (given.version !== null && given.version !== present.resourceVersion) {
    const cause = `Update operation for ${kind} '${id}' failed due to a concurrent update to the same ${kind}: read it and try again`;
    failWith(concurrent, cause, { resources });
  }
  const annotations = mergeAnnotations(present.annotations, given.annotations);
  if (sizeOf(annotations) > MAX_ANNOTATIONS_BYTES) {
    const cause = `Maximum annotations size of 256kb has been exceeded for ${kind} '${id}'`;
    failWith(tooLarge, cause, { resources });
  }
  return { resourceVersion: present.resourceVersion + 1n, annotations };
}
