import type { ContractWithState } from "@callsign/api";
import { expect, test } from "vitest";
import { findNewestOpenRound } from "./network-facts.ts";

const HOUR = 3_600_000;

function round(number: number, opensAt: number): ContractWithState {
  const payload = { round: { number: String(number) }, opensAt: new Date(opensAt).toISOString() };
  const contract = {
    template_id: "",
    contract_id: String(number),
    payload,
    created_event_blob: "",
    created_at: "",
  };
  return { contract, domain_id: null };
}

test("the newest round that has opened counts, not one that is announced", () => {
  const rounds = [round(1, HOUR), round(2, 2 * HOUR), round(3, 3 * HOUR)];
  expect(findNewestOpenRound(rounds, 2 * HOUR + 1)?.contract.contract_id).toBe("2");
});

test("before the first round has opened, its price is the one to expect", () => {
  expect(findNewestOpenRound([round(1, HOUR)], 0)?.contract.contract_id).toBe("1");
  expect(findNewestOpenRound([], 0)).toBeNull();
});
