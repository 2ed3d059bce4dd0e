import { expect, test } from "vitest";
import { networkCatalogue } from "../../../packages/ledger/src/contracts/network-catalogue.ts";
import { hasControllers } from "./controller-table.ts";
import { hasStakeholders } from "./stakeholder-table.ts";

const templates = networkCatalogue.packages.flatMap((loaded) => loaded.templates);

test("the auditor knows who signs and who observes every template", () => {
  const unknown = templates.filter(({ declaration }) => !hasStakeholders(declaration.id));
  expect(unknown.map(({ declaration }) => declaration.entity)).toEqual([]);
});

test("the auditor knows who controls every choice, those of interfaces too", () => {
  const unknown = templates.flatMap(({ declaration, interfaces }) => {
    const choices = [declaration, ...[...interfaces.values()].map((instance) => instance.interface)];
    return choices
      .flatMap((each) => Object.keys(each.choices))
      .filter((choice) => !hasControllers(declaration.id, choice))
      .map((choice) => `${declaration.entity} ${choice}`);
  });
  expect(unknown).toEqual([]);
});
