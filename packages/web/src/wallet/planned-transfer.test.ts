import { expect, test } from "vitest";
import { listWays } from "./planned-transfer.ts";

test("a receiver with a preapproval gets the coin at once", () => {
  expect(listWays({ preapproval: true, tokenStandard: true })).toEqual(["at-once", "offer"]);
});

test("other receivers accept first, by the token standard where the network has it", () => {
  expect(listWays({ preapproval: false, tokenStandard: true })).toEqual(["token", "offer"]);
  expect(listWays({ preapproval: false, tokenStandard: false })).toEqual(["offer"]);
});
