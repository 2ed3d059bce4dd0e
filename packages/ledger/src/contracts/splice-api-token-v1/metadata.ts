/** Splice.Api.Token.MetadataV1: free key-value pairs that travel with token operations. */
import { textMap } from "../../daml/collections.ts";
import type { ValueOf } from "../../daml/daml-type.ts";
import { record } from "../../daml/record.ts";
import { text } from "../../daml/scalars.ts";

export const Metadata = record({ values: textMap(text) });
export type Metadata = ValueOf<typeof Metadata>;
