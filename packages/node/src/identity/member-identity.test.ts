// A node's identity is made once and kept.

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { signedMessage } from "@callsign/ledger";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { VirtualHost } from "../../testing/virtual-host.ts";
import { systemHost } from "../system-host.ts";
import { loadMemberIdentity } from "./kept-identity.ts";
import { createVerify, generatePrivateKey, signingKeyOf } from "./keys.ts";
import { signEntry } from "./member-identity.ts";
import { SignatureChecks } from "./signature-checks.ts";

test("an identity is made at the first start and stays", () => {
  const folder = join(temporaryFolder(), "node");
  const made = loadMemberIdentity(folder, "alice", systemHost);
  expect(made.id).toMatch(/^alice::1220[0-9a-f]{64}$/);
  expect(made.id).toBe(`alice::${made.namespace}`);
  const again = loadMemberIdentity(folder, "another-name", systemHost);
  expect([again.id, again.signingKey.publicKey]).toEqual([made.id, made.signingKey.publicKey]);
  expect(loadMemberIdentity(join(temporaryFolder(), "node"), "alice", systemHost).id).not.toBe(made.id);
});

test("an identity follows from its host's randomness and files alone", () => {
  const [host, twin] = [new VirtualHost(), new VirtualHost()];
  const made = loadMemberIdentity("/nowhere/alice", "alice", host);
  expect(loadMemberIdentity("/nowhere/alice", "another-name", host).id).toBe(made.id);
  expect(loadMemberIdentity("/nowhere/alice", "alice", twin).id).toBe(made.id);
});

test("the keys are for the owner's eyes, and nothing half-written is left", () => {
  const folder = join(temporaryFolder(), "node");
  loadMemberIdentity(folder, "alice", systemHost);
  expect(statSync(join(folder, "identity.json")).mode & 0o777).toBe(0o600);
  expect(() => readFileSync(join(folder, "identity.json.new"))).toThrow();
});

test.each(["", "{", "{}", '{"nodeIdentifier":"a","namespaceKey":"00","signingKey":"00"}'])(
  "a damaged file stops the node instead of giving it another identity: %s",
  (text) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "identity.json"), text);
    expect(() => loadMemberIdentity(folder, "alice", systemHost)).toThrow(/restore it from a backup/);
  },
);

test("a signature is valid for its text and its key alone", () => {
  const [checks, trusting] = [new SignatureChecks(), new SignatureChecks({ trustsOwn: true })];
  for (const verify of [createVerify(), checks.verify, trusting.verify]) {
    const [key, other] = [
      generatePrivateKey(systemHost.randomness),
      generatePrivateKey(systemHost.randomness),
    ].map(signingKeyOf);
    if (key === undefined || other === undefined) throw new Error("no keys");
    const signature = key.sign("yes");
    for (let again = 0; again < 2; again++) {
      expect(verify(key.publicKey, "yes", signature)).toBe(true);
      expect(verify(key.publicKey, "no", signature)).toBe(false);
      expect(verify(other.publicKey, "yes", signature)).toBe(false);
      expect(verify(key.publicKey, "yes", other.sign("yes"))).toBe(false);
      expect(verify("zz", "yes", signature)).toBe(false);
    }
  }
});

test("an entry is signed by every key over its canonical text", () => {
  const identity = loadMemberIdentity(temporaryFolder(), "alice", systemHost);
  const value = { network: "n", member: identity.id, submissionId: "s", maxRecordTime: 0n as never };
  const { content, signatures } = signEntry({ tag: "Tick", value }, [
    identity.namespaceKey,
    identity.signingKey,
  ]);
  const verify = createVerify();
  expect(signatures.map(({ publicKey }) => publicKey)).toEqual([
    identity.namespaceKey.publicKey,
    identity.signingKey.publicKey,
  ]);
  for (const { publicKey, signature } of signatures)
    expect(verify(publicKey, signedMessage(content), signature)).toBe(true);
});

test.each([false, true])(
  "preparing a check never changes its result, own signatures trusted: %s",
  async (trustsOwn) => {
    const checks = new SignatureChecks({ trustsOwn });
    const identity = loadMemberIdentity(temporaryFolder(), "alice", systemHost);
    const value = { network: "n", member: identity.id, submissionId: "s", maxRecordTime: 0n as never };
    const good = signEntry({ tag: "Tick", value }, [identity.signingKey]);
    const [signature] = good.signatures;
    if (signature === undefined) throw new Error("no signature");
    const forged = { ...good, content: good.content.replace('"s"', '"t"') };
    const noKey = { ...good, signatures: [{ ...signature, publicKey: "zz" }] };
    await checks.prepare([good, forged, noKey]);
    await checks.prepare([forged]);
    const holds = ({ content, signatures }: typeof good) =>
      signatures.every((each) => checks.verify(each.publicKey, signedMessage(content), each.signature));
    expect([good, forged, noKey].map(holds)).toEqual([true, false, false]);
  },
);
