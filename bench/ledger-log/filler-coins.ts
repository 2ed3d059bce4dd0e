/** Coins of nobody in particular, made in bulk, their payloads encoded as everywhere. */
import { Amulet } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { type Contract, contractIdOf } from "../../packages/ledger/src/engine/contract.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { time } from "../../packages/ledger/src/values/time.ts";
import { testParty } from "../../packages/ledger/testing/sandbox.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";

export function* fillerCoins(count: number): Generator<Contract> {
  const dso = testParty("dso");
  const owner = testParty("filler");
  const createdAt = time("2026-01-01T00:00:00Z");
  for (let i = 0; i < count; i++) {
    const amount = {
      initialAmount: decimal(`${i + 1}.5`),
      createdAt: { number: 1n },
      ratePerRound: { rate: decimal("0.00380518") },
    };
    const payload = Amulet.record.encode({ dso, owner, amount });
    const content = { templateId: Amulet.id, payload, createdAt };
    yield { contractId: contractIdOf(sha256, sha256(`filler ${i}`), content), ...content };
  }
}
