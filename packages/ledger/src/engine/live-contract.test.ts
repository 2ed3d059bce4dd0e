/** Contracts decoded once and remembered: it may only save time. */
import { expect, test } from "vitest";
import { alice, bob, carol, Paper, testCatalogue } from "../../testing/engine-fixture.ts";
import { EngineLedger } from "../../testing/engine-ledger.ts";
import { sha256 } from "../../testing/sha256.ts";
import { expectParsed } from "../values/parsed.ts";
import { parsePartyId } from "../values/party-id.ts";
import { formatBlob } from "./contract.ts";
import { DecodedContracts, distinct } from "./live-contract.ts";

function contractOf(text: string) {
  const ledger = new EngineLedger();
  return ledger.contract(ledger.paper({ signatories: [alice], text }));
}

test("a contract is decoded with its template, its value and its stakeholders, each once", () => {
  const ledger = new EngineLedger();
  const terms = { signatories: [bob, alice, bob], observers: [alice, carol, carol] };
  const contract = ledger.contract(ledger.paper(terms));
  expect(new DecodedContracts(testCatalogue, sha256).decode(contract)).toEqual({
    contract,
    template: testCatalogue.findTemplate(Paper.id),
    value: { ...terms, text: "" },
    signatories: [bob, alice],
    observers: [carol],
  });
});

test("a contract that was seen is not decoded again, nor is its blob hashed again", () => {
  let hashed = 0;
  const contracts = new DecodedContracts(testCatalogue, (text) => {
    hashed++;
    return sha256(text);
  });
  const contract = contractOf("words");
  const first = contracts.decode(contract);
  expect(contracts.decode({ ...contract })).toBe(first);
  const hash = sha256(formatBlob(contract));
  expect([contracts.blobHash(contract), contracts.blobHash({ ...contract })]).toEqual([hash, hash]);
  expect(hashed).toBe(1);
});

test("another contract under the same id is another contract", () => {
  const contracts = new DecodedContracts(testCatalogue, sha256);
  const contract = contractOf("words");
  const forged = { ...contract, payload: contractOf("other words").payload };
  expect(contracts.decode(contract).value).toMatchObject({ text: "words" });
  expect(contracts.decode(forged).value).toMatchObject({ text: "other words" });
  expect(contracts.blobHash(forged)).toBe(sha256(formatBlob(forged)));
  expect(contracts.blobHash(contract)).toBe(sha256(formatBlob(contract)));
});

test("beyond its capacity the oldest is forgotten, and read again when it is needed", () => {
  const contracts = new DecodedContracts(testCatalogue, sha256, 2);
  const [a, b, c] = [contractOf("a"), contractOf("b"), contractOf("c")];
  const [firstA, firstB] = [contracts.decode(a), contracts.decode(b)];
  contracts.decode(c);
  expect(contracts.decode(b)).toBe(firstB);
  expect(contracts.decode(a)).not.toBe(firstA);
  expect(contracts.decode(a)).toEqual(firstA);
});

test("long lists of parties lose their repetitions too, and keep their order", () => {
  const many = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"].map((hint) =>
    expectParsed(parsePartyId(`${hint}::1220`)),
  );
  expect(distinct([...many.toReversed(), ...many])).toEqual(many.toReversed());
  const ledger = new EngineLedger();
  const terms = { signatories: [alice, ...many, alice], observers: [bob, ...many, carol, bob] };
  const decoded = new DecodedContracts(testCatalogue, sha256).decode(ledger.contract(ledger.paper(terms)));
  expect(decoded).toMatchObject({ signatories: [alice, ...many], observers: [bob, carol] });
});
