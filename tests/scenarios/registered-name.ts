/** Alice has registered her name: where several scenarios begin. */
import { expect } from "vitest";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { time } from "../../packages/ledger/src/values/time.ts";
import { Scenario } from "./scenario.ts";

export const NAME = "alice.unverified.cns";
/** The expiry of her entry and the due date of her next payment. */
export const EXPIRES = time("2026-05-02T12:00:00Z");

export interface Registered {
  readonly scenario: Scenario;
  readonly entry: ContractId;
}

export function registered(): Registered {
  const scenario = new Scenario();
  const entry = scenario.register(scenario.alice, NAME, time("2026-02-01T12:00:00Z"));
  expect(entry.payload.expiresAt).toBe(EXPIRES);
  return { scenario, entry: entry.contractId };
}

/** With coin for a renewal. */
export function registeredWithCoin(): Scenario {
  const { scenario } = registered();
  scenario.tap(scenario.alice, "250.0");
  return scenario;
}
