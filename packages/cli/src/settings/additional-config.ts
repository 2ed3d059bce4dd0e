/** Additional configuration: every variable `ADDITIONAL_CONFIG*`, as HOCON, in the order of their names. */
import type { KeyTable } from "../keys/key.ts";
import type { Finding } from "../values/finding.ts";
import type { ValueMap } from "../values/value-node.ts";
import type { EnvironmentValue } from "./gather-environment.ts";

interface Parts {
  readonly table: KeyTable;
  readonly values: ValueMap;
  readonly environment: ReadonlyMap<string, EnvironmentValue>;
  readonly findings: Finding[];
}

export function applyAdditionalConfig({ values }: Parts): ValueMap {
  return values;
}
