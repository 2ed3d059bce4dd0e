import type { SequencerProof, SessionOpening } from "@callsign/api";
import { openingMessage, svKeyMessage } from "@callsign/api";
import { createVerify, identityOf, sha256 } from "@callsign/node";
import { expect, test } from "vitest";
import { findProofFault } from "./check-proof.ts";

const keysOf = (name: string) =>
  identityOf({ nodeIdentifier: name, namespaceKey: sha256(`${name} a`), signingKey: sha256(`${name} b`) });
const [sv, other] = [keysOf("sv-1"), keysOf("sv-2")];
const opening: SessionOpening = {
  ...{ network: "n", sequencer: sv.id, member: "m::1220", challenge: "c", memberChallenge: "d" },
  ...{ memberKey: "e", sequencerKey: "f" },
};

function proofBy(signer: typeof sv, change: Partial<SequencerProof> = {}): SequencerProof {
  const serial = change.serial ?? 3;
  const signingKey = signer.signingKey.publicKey;
  return {
    ...{ sessionKey: opening.sequencerKey, namespaceKey: sv.namespaceKey.publicKey, signingKey, serial },
    certificate: sv.namespaceKey.sign(svKeyMessage({ network: "n", sv: sv.id, signingKey, serial })),
    signature: signer.signingKey.sign(openingMessage(opening)),
    ...change,
  };
}

function faultOf(proof: SequencerProof, knownSerial = 3, opened = opening): string | null {
  return findProofFault(opened, proof, { hash: sha256, verify: createVerify(), knownSerial });
}

test("an SV that signs the opening with the key that it has certified is proven", () => {
  expect(faultOf(proofBy(sv))).toBeNull();
  expect(faultOf(proofBy(sv, { serial: 4 }))).toBeNull();
});

test.each<[string, SequencerProof, RegExp]>([
  [
    "another namespace key",
    proofBy(sv, { namespaceKey: other.namespaceKey.publicKey }),
    /another namespace key/,
  ],
  ["a key that the SV has not certified", { ...proofBy(sv), ...pick(other) }, /has not certified/],
  ["a certificate of another serial", { ...proofBy(sv), serial: 9 }, /has not certified/],
  ["a certificate from before a rotation", proofBy(sv, { serial: 2 }), /has replaced/],
  [
    "a signature by another key",
    proofBy(sv, { signature: other.signingKey.sign(openingMessage(opening)) }),
    /not hold/,
  ],
])("%s proves nothing", (_, proof, why) => {
  expect(faultOf(proof)).toMatch(why);
});

function pick({ signingKey }: typeof sv) {
  return {
    signingKey: signingKey.publicKey,
    signature: signingKey.sign(openingMessage(opening)),
  };
}

test.each(Object.keys(opening) as (keyof SessionOpening)[])("a proof covers the %s", (field) => {
  expect(faultOf(proofBy(sv), 3, { ...opening, [field]: `${opening[field]}0` })).not.toBeNull();
});
