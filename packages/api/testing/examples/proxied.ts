import { type ProxiedId, proxiedId } from "../../src/index.ts";

/** Examples of scans as examples of the scan proxy, which repeats their requests and answers. */
export function proxiedExamples<T extends object>(
  examples: T,
): { readonly [Id in keyof T & string as ProxiedId<Id>]: T[Id] } {
  const entries = Object.entries(examples).map(([id, example]) => [proxiedId(id), example]);
  return Object.fromEntries(entries);
}
