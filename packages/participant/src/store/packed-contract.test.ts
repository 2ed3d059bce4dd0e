import { openDatabase } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { openParticipantStore } from "./open-participant-store.ts";
import { type ContractTexts, idPartOf, packContractTexts, readContractTexts } from "./packed-contract.ts";
import { RowMemory } from "./row-memory.ts";

async function loadContracts() {
  const store = await openParticipantStore(openDatabase(":memory:"));
  onTestFinished(() => store.close());
  return new RowMemory().contracts.load(store);
}

const dso = `DSO::1220${"cd".repeat(32)}`;

function makeTexts(number: number): ContractTexts {
  const hash = `${number}`.padStart(64, "0");
  return {
    contractId: `00${"ab".repeat(28)}00000001ca101220${hash}`,
    ...{ signatories: [dso, "alice"], observers: ["zoë\n\u0000"], stakeholders: ["alice"] },
    payload: JSON.stringify({ dso, owner: "alice", amount: `${number}.0000000000` }),
  };
}

test("texts are read as they were written, whatever a payload has", async () => {
  const contracts = await loadContracts();
  for (const payload of [makeTexts(1).payload, "", "[]", "\n\n", '{\n "a": 1e3 }', "\u0001\u0002"]) {
    const texts = { ...makeTexts(1), payload };
    expect(readContractTexts({ packed: packContractTexts(texts, "T", contracts) }, contracts)).toEqual(texts);
  }
});

test("texts like those before them take less than a fifth of their length", async () => {
  const contracts = await loadContracts();
  const packed = Array.from({ length: 70 }, (_, number) =>
    packContractTexts(makeTexts(number), "T", contracts),
  );
  expect(packed.at(-1)?.length).toBeLessThan(JSON.stringify(makeTexts(69)).length / 5);
});

test("texts that have changed on disk are never read as others", async () => {
  const contracts = await loadContracts();
  const packed = packContractTexts(makeTexts(1), "T", contracts);
  const read = (bytes: Uint8Array) => {
    try {
      return JSON.stringify(readContractTexts({ packed: bytes }, contracts));
    } catch {
      return null;
    }
  };
  const changed = Array.from(packed, (_, at) =>
    read(packed.map((byte, i) => (i === at ? byte ^ 0x20 : byte))),
  );
  expect(changed).toContain(null);
  // Some bits of a compressed text mean nothing.
  const same = JSON.stringify(readContractTexts({ packed }, contracts));
  expect(new Set(changed).difference(new Set([null, same]))).toEqual(new Set());
});

test("the part of an id is the beginning of its hash", () => {
  expect(idPartOf(`00${"ab".repeat(28)}00000001ca101220${"0123456789abcdef".repeat(4)}`)).toBe(
    "0123456789ab",
  );
});
