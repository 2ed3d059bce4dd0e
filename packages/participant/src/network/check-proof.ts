/** Checks that a sequencer has shown the key of the SV that it says it is. */
import { openingMessage, type SequencerProof, type SessionOpening, svKeyMessage } from "@callsign/api";
import { fingerprintOf, type Hash, type Verify } from "@callsign/ledger";

/** Returns the fault of the proof, or null. */
export function findProofFault(
  opening: SessionOpening,
  proof: SequencerProof,
  given: {
    readonly hash: Hash;
    readonly verify: Verify;
    /** The highest serial that was seen of this SV. */
    readonly knownSerial: number;
  },
): string | null {
  const { network, sequencer: sv } = opening;
  const { namespaceKey, signingKey, serial, certificate, signature } = proof;
  const { hash, verify, knownSerial } = given;
  if (!sv.endsWith(`::${fingerprintOf(hash, namespaceKey)}`))
    return `it says that it is ${sv}, and shows another namespace key`;
  if (!verify(namespaceKey, svKeyMessage({ network, sv, signingKey, serial }), certificate))
    return `${sv} has not certified the signing key that it shows`;
  if (serial < knownSerial)
    return `${sv} has replaced the signing key that it shows: its certificate has serial ${serial}, and ${knownSerial} was seen`;
  return verify(signingKey, openingMessage(opening), signature)
    ? null
    : `its signature of the session by the key of ${sv} does not hold`;
}
