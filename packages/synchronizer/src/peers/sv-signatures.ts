/** Signatures of the network's SVs, by the keys that the ledger has for them. */
import type { LedgerView } from "@callsign/ledger";
import type { SignatureChecks } from "@callsign/node";

export interface SignedBySv {
  readonly publicKey: string;
  readonly signature: string;
}

/** Says whether the key is the SV's at present, and its signature of the message holds. */
export type SvSignatureHolds = (sv: string, message: string, signed: SignedBySv) => boolean;

export function svSignatures(
  view: Pick<LedgerView, "network" | "findMember">,
  { verify }: Pick<SignatureChecks, "verify">,
): SvSignatureHolds {
  return (sv, message, { publicKey, signature }) =>
    view.network?.svs.includes(sv) === true &&
    view.findMember(sv)?.signingKeys.includes(publicKey) === true &&
    verify(publicKey, message, signature);
}
