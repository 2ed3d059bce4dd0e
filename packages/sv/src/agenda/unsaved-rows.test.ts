import type { ContractId } from "@callsign/ledger";
import { expect, test } from "vitest";
import type { AgendaRow } from "../kinds/agenda-kind.ts";
import { UnsavedRows } from "./unsaved-rows.ts";

const id = (number: number) => `00${number}` as ContractId;

test("the first time at which one is due follows the rows that come and go", () => {
  const rows = new UnsavedRows();
  const add = (number: number, due: bigint | null) =>
    rows.add({ row: { contractId: id(number), due } as AgendaRow, pending: false });
  expect(rows.earliestDue(null)).toBeNull();
  expect(rows.earliestDue(4n)).toBe(4n);
  add(1, null);
  add(2, 7n);
  add(3, 5n);
  add(4, 5n);
  expect([rows.earliestDue(null), rows.earliestDue(6n), rows.earliestDue(3n)]).toEqual([5n, 5n, 3n]);
  rows.take(id(3));
  expect(rows.earliestDue(null)).toBe(5n);
  rows.take(id(4));
  expect([rows.earliestDue(null), rows.isAnyDueBy(6n), rows.isAnyDueBy(7n)]).toEqual([7n, false, true]);
  rows.take(id(1));
  rows.take(id(2));
  expect([rows.earliestDue(null), rows.isAnyDueBy(100n)]).toEqual([null, false]);
  add(5, 9n);
  rows.clear();
  expect(rows.earliestDue(null)).toBeNull();
});
