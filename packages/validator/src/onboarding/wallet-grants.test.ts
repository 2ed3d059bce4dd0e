import type { PartyId } from "@callsign/ledger";
import { expect, test } from "vitest";
import { VirtualHost } from "../../../node/testing/virtual-host.ts";
import { WalletGrants } from "./wallet-grants.ts";

const [party, other] = ["alice::1220", "bob::1220"] as [PartyId, PartyId];

test("a grant holds for its party and five seconds, and until the user is changed", async () => {
  const host = new VirtualHost();
  const grants = new WalletGrants(host.clock);
  expect(grants.has("alice", party)).toBe(false);
  grants.asking("alice")(party);
  await host.advance(4999);
  expect([grants.has("alice", party), grants.has("alice", other), grants.has("bob", party)]).toEqual([
    true,
    false,
    false,
  ]);
  await host.advance(1);
  expect(grants.has("alice", party)).toBe(false);
  grants.asking("alice")(party);
  grants.forget("alice");
  expect(grants.has("alice", party)).toBe(false);
});

test("a grant that was asked for before the user was changed is not kept", () => {
  const grants = new WalletGrants(new VirtualHost().clock);
  const keepGrant = grants.asking("alice");
  grants.forget("alice");
  keepGrant(party);
  expect(grants.has("alice", party)).toBe(false);
});
