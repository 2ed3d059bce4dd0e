/** An automation for contracts that end at a time they name themselves: one SV removes each of them. */
import type { AnyTemplateDeclaration, Command, ContractId } from "@callsign/ledger";
import { type Deciding, type DsoAutomation, defineAutomation } from "./dso-automation.ts";

export interface TimedExpiry {
  readonly template: AnyTemplateDeclaration;
  /** Null if the network has no rules for it. */
  readonly command: (deciding: Deciding, contractId: ContractId) => Command | null;
}

export function expireAtItsTime<const Name extends string>(
  name: Name,
  expiries: readonly TimedExpiry[],
): DsoAutomation<Name> {
  return defineAutomation({
    name,
    subjects: ["contract"],
    contracts: expiries.map(({ template }) => template),
    decide: (deciding, { key: created }) => {
      const { facts } = deciding;
      return expiries.flatMap(({ template, command }) => {
        const row = facts.findRow(template, created);
        if (row === null || row.due === null || row.due > facts.now || !facts.exists(row.contractId))
          return [];
        const found = command(deciding, row.contractId);
        return found === null ? [] : [{ key: `expire ${row.contractId}`, commands: [found], takes: 1 }];
      });
    },
  });
}
