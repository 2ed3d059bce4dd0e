/** The entry that activates a protocol version. */
import type { Envelope, Network, Time } from "@callsign/ledger";
import { type Host, type MemberIdentity, signEntry } from "@callsign/node";

/** Sent in the name of the first signer. The network accepts it with the signatures of a quorum of its SVs. */
export function signActivation(
  signers: readonly MemberIdentity[],
  given: { readonly network: Network; readonly version: bigint; readonly maxRecordTime: Time },
  { randomness }: Pick<Host, "randomness">,
): Envelope {
  const { network, version, maxRecordTime } = given;
  const [first] = signers;
  if (first === undefined) throw new Error("no SV can sign the activation of a protocol version");
  const value = {
    ...{ network: network.id, member: first.id, submissionId: randomness.uuid() },
    ...{ maxRecordTime, version },
  };
  return signEntry(
    { tag: "ActivateVersion", value },
    signers.map(({ signingKey }) => signingKey),
  );
}
