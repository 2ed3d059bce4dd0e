/**
 * The proof that a sequencer belongs to its SV. The SV's member id ends in the fingerprint of its namespace key, which
 * certifies the present signing key; the signing key signs what both sides bring to a session.
 */
import { openingMessage, type SequencerProof, type SessionOpening, svKeyMessage } from "@callsign/api";
import type { LedgerView } from "@callsign/ledger";
import type { MemberIdentity } from "@callsign/node";

/** The opening of a session by a member, before the sequencer is known to be this one. */
export type ProvenOpening = Omit<SessionOpening, "sequencer">;

export class SequencerProofs {
  readonly #identity: MemberIdentity;
  readonly #view: Pick<LedgerView, "findMember">;
  /** The last certificate: it changes with the key alone. */
  #certified = { message: "", certificate: "" };

  constructor(parts: { readonly identity: MemberIdentity; readonly view: Pick<LedgerView, "findMember"> }) {
    this.#identity = parts.identity;
    this.#view = parts.view;
  }

  prove(opening: ProvenOpening): SequencerProof {
    const { id: sv, namespaceKey, signingKey } = this.#identity;
    const serial = Number(this.#view.findMember(sv)?.keySerial ?? 0n);
    const certified = { network: opening.network, sv, signingKey: signingKey.publicKey, serial };
    return {
      sessionKey: opening.sequencerKey,
      namespaceKey: namespaceKey.publicKey,
      signingKey: signingKey.publicKey,
      serial,
      certificate: this.#certify(svKeyMessage(certified)),
      signature: signingKey.sign(openingMessage({ ...opening, sequencer: sv })),
    };
  }

  #certify(message: string): string {
    if (this.#certified.message !== message)
      this.#certified = { message, certificate: this.#identity.namespaceKey.sign(message) };
    return this.#certified.certificate;
  }
}
