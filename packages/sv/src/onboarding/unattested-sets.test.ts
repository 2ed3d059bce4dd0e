import type { SvSet } from "@callsign/ledger";
import { expect, test } from "vitest";
import { UNATTESTED_SETS } from "../limits/limits.ts";
import { listUnattestedSets } from "./unattested-sets.ts";

const FOUR = ["a", "b", "c", "d"];
const keyOf = (sv: string) => `key of ${sv}`;

/** Each set is attested by these SVs. */
function viewOf(...attested: readonly (readonly string[])[]) {
  const sets = attested.map((by, i): SvSet => {
    const attestations = by.map((sv) => ({ publicKey: keyOf(sv), signature: "" }));
    return { serial: BigInt(i + 1), before: FOUR, svs: [...FOUR, "e"], attestations };
  });
  return {
    network: { svSerial: BigInt(sets.length) } as never,
    findSvSet: (serial: bigint) => sets[Number(serial) - 1],
  };
}

const serialsFor = (sv: string, view: ReturnType<typeof viewOf>) =>
  listUnattestedSets(view, { id: sv, namespaceKey: keyOf(sv) }).map(({ serial }) => serial);

test("an SV attests the sets that it was before, oldest first, unless it or a quorum has", () => {
  const view = viewOf([], ["b", "c", "d"], ["a", "b"], ["b"]);
  expect(serialsFor("a", view)).toEqual([1n, 4n]);
  expect(serialsFor("b", view)).toEqual([1n]);
  expect(serialsFor("e", view)).toEqual([]);
});

test("sets far back are given up", () => {
  const many = Array.from({ length: Number(UNATTESTED_SETS) + 3 }, () => []);
  expect(serialsFor("a", viewOf(...many))).toEqual(
    Array.from({ length: Number(UNATTESTED_SETS) }, (_, i) => BigInt(i + 4)),
  );
});

test("a network that has not changed has none", () => {
  const view = { network: null, findSvSet: () => undefined };
  expect(listUnattestedSets(view, { id: "a", namespaceKey: "" })).toEqual([]);
});
