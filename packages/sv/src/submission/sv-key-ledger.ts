/** The keys of an SV on the ledger, as its own replica has them. */
import type { KeyLedger } from "@callsign/node";
import type { Replica } from "@callsign/synchronizer";
import type { SvSubmitter } from "./sv-submitter.ts";

export function svKeyLedger(parts: {
  /** The SV's member id. */
  readonly member: string;
  readonly replica: Replica;
  readonly submitter: SvSubmitter;
  /** Resolves once the replica has applied the log as it is now. */
  readonly catchUp: () => Promise<void>;
  readonly ended: AbortSignal;
}): KeyLedger {
  const { member, replica, submitter, catchUp, ended } = parts;
  return {
    findKeys: async () => {
      await catchUp();
      const found = replica.state.findMember(member);
      return found === undefined ? null : { signingKeys: found.signingKeys, serial: found.keySerial };
    },
    delegate: (keys, signers) => submitter.delegateKeys(keys, signers, ended),
    // The SV's own sequencer appends its entries in their order: earlier ones come before the delegation.
    drain: async () => undefined,
  };
}
