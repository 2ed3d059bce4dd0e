import { type ContractId, type PartyId, WalletAppInstall } from "@callsign/ledger";
import { createTokenVerifier, openDatabase, openSqliteStore } from "@callsign/node";
import { SignJWT } from "jose/jwt/sign";
import { expect, onTestFinished, test } from "vitest";
import { VirtualHost } from "../../../node/testing/virtual-host.ts";
import { GRANT_CACHE_MILLISECONDS } from "../limits/limits.ts";
import { WalletGrants } from "../onboarding/wallet-grants.ts";
import { walletMigrations } from "../store/wallet-migrations.ts";
import { WalletStore } from "../store/wallet-store.ts";
import type { Wallet } from "../wallet/wallet.ts";
import { WalletDirectory } from "../wallet/wallet-directory.ts";
import { type CallerParts, findCachedCaller } from "./caller.ts";

const SECRET = "a secret";
const PARTY = `alice::1220${"a".repeat(64)}` as PartyId;
const INSTALL = `00${"1".repeat(64)}`;
const WALLET: Wallet = { userName: "alice", party: PARTY, install: INSTALL as ContractId };

function tokenOf(user: string, { audience = "here", secret = SECRET, issuer = "us" } = {}): Promise<string> {
  const token = new SignJWT({})
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(user)
    .setAudience(audience)
    .setIssuer(issuer);
  return token.sign(new TextEncoder().encode(secret));
}

/** A validator that alice has called: her token, her wallet and her right are known. */
async function afterACall() {
  const host = new VirtualHost();
  const store = await openSqliteStore(openDatabase(":memory:"), walletMigrations);
  onTestFinished(() => store.close());
  const payload = { dsoParty: PARTY, validatorParty: PARTY, endUserName: "alice", endUserParty: PARTY };
  await store.run(
    `insert into contracts (contract_id, template, template_id, owner, link, name, payload, blob, created_at, arrival, node)
     values ($1, $2, '', $3, $3, 'alice', $4, '', '2026-01-01T00:00:00Z', 1, 0)`,
    ...[INSTALL, WalletAppInstall.entity, PARTY, JSON.stringify(payload)],
  );
  const directory = new WalletDirectory(new WalletStore(store), PARTY);
  await directory.findByUser("alice");
  const verify = createTokenVerifier({ kind: "hs256", secret: SECRET, audience: "here" }, { host });
  const grants = new WalletGrants(host.clock);
  const state = { isRebuilding: false, isRunning: true };
  const follower = {
    get isRebuilding() {
      return state.isRebuilding;
    },
  };
  const wallets = { directory, operatorParty: PARTY, follower };
  const parts = {
    ...{ authentication: { verify }, grants, running: () => (state.isRunning ? wallets : null) },
  } as unknown as CallerParts;
  const token = await tokenOf("alice");
  await verify(token);
  grants.asking("alice")(PARTY);
  const find = (authorization: string | undefined) => findCachedCaller(parts, authorization);
  return { host, verify, grants, state, token, find, findAlice: () => find(`Bearer ${token}`) };
}

test("a caller is known by a token, a wallet and a right that were looked at a moment ago", async () => {
  const { findAlice } = await afterACall();
  expect(findAlice()).toEqual({ userName: "alice", wallet: WALLET });
});

test("a caller is not known by a token that nobody has verified, or that is not valid", async () => {
  const { find, verify, token } = await afterACall();
  for (const authorization of [undefined, "", "Bearer", `Basic ${token}`, `Bearer ${token} x`, "Bearer x"])
    expect(find(authorization)).toBeUndefined();
  for (const change of [{ secret: "another" }, { audience: "elsewhere" }]) {
    const other = await tokenOf("alice", change);
    await expect(verify(other)).rejects.toThrow();
    expect(find(`Bearer ${other}`)).toBeUndefined();
  }
  // Valid, and not verified yet.
  const fresh = await tokenOf("alice", { issuer: "another" });
  expect(find(`Bearer ${fresh}`)).toBeUndefined();
});

test("a caller without a wallet is not known, and without a right neither", async () => {
  const { find, findAlice, verify, grants, host } = await afterACall();
  const bob = await tokenOf("bob");
  await verify(bob);
  expect(find(`Bearer ${bob}`)).toBeUndefined();
  await host.advance(GRANT_CACHE_MILLISECONDS - 1);
  expect(findAlice()).toBeDefined();
  await host.advance(1);
  expect(findAlice()).toBeUndefined();
  grants.asking("alice")(PARTY);
  expect(findAlice()).toBeDefined();
  grants.forget("alice");
  expect(findAlice()).toBeUndefined();
  grants.asking("alice")(`other::1220${"b".repeat(64)}` as PartyId);
  expect(findAlice()).toBeUndefined();
});

test("nobody is known while the copy is rebuilt, and before the validator has started", async () => {
  const { state, findAlice } = await afterACall();
  state.isRebuilding = true;
  expect(findAlice()).toBeUndefined();
  state.isRebuilding = false;
  expect(findAlice()).toBeDefined();
  state.isRunning = false;
  expect(findAlice()).toBeUndefined();
});
