/** The keys of the participant on the ledger: asked of its sequencers, and changed by entries like any other. */
import { type Host, type KeyLedger, startInterval } from "@callsign/node";
import { KEYS_POLL_MILLISECONDS } from "../limits/limits.ts";
import type { SequencerConnections } from "../network/sequencer-connections.ts";
import type { EntrySender } from "./entry-sender.ts";

export function participantKeyLedger(parts: {
  readonly connections: SequencerConnections;
  readonly sender: EntrySender;
  readonly host: Host;
}): KeyLedger {
  const { connections, sender, host } = parts;
  const findKeys = () => connections.current.findKeys();
  /** No stream has delegations: the sequencers are asked until enough of them have applied it. */
  const watch = (serial: bigint) => (seen: () => void) => {
    let isAsking = false;
    const look = async () => {
      if (isAsking) return;
      isAsking = true;
      const keys = await findKeys().catch(() => null);
      isAsking = false;
      if (keys !== null && keys.serial >= serial) seen();
    };
    return startInterval(() => void look(), KEYS_POLL_MILLISECONDS, host.timers);
  };
  return {
    findKeys,
    delegate: async ({ signingKeys, serial }, signers) => {
      await sender.send<void>(({ once }) => ({
        content: { tag: "DelegateKeys", value: { ...once, serial, signingKeys: [...signingKeys] } },
        signers,
        watch: watch(serial),
      }));
    },
    drain: (given) => sender.drain(given),
  };
}
