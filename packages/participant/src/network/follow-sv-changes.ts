/**
 * The present SVs of a network, from its first ones: each change of the set counts if a quorum of the SVs before attested it, so
 * that any sequencer may hand it out. A change that is not attested yet is asked for again with a later page.
 */
import { findSvSetFault, type Hash, type Verify } from "@callsign/ledger";
import type { ServedSvs } from "../agreement/network-votes.ts";
import type { SequencerClient } from "./sequencer-client.ts";

export async function followSvChanges(
  client: Pick<SequencerClient, "listSvChanges">,
  known: ServedSvs,
  { hash, verify, signal }: { readonly hash: Hash; readonly verify: Verify; readonly signal: AbortSignal },
): Promise<ServedSvs> {
  let { svs, svSerial } = known;
  for (;;) {
    const changes = await client.listSvChanges(svSerial, signal);
    const before = svSerial;
    for (const { serial, ...change } of changes) {
      const next = { ...change, serial: BigInt(serial) };
      const given = { network: known.id, before: svs, hash, verify };
      if (next.serial !== svSerial + 1n || findSvSetFault(next, given) !== null) break;
      ({ svs } = next);
      svSerial = next.serial;
    }
    if (changes.length === 0 || svSerial !== before + BigInt(changes.length))
      return { ...known, svs, svSerial };
  }
}
