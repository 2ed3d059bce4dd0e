/** The participant's connections to sequencers, as Splice writes them. It follows all of them, and submits to each in turn. */
import { SUBMISSION_PATIENCE_MILLISECONDS, type WireSequencerConnections } from "@callsign/api";
import { requiredConfirmations } from "@callsign/ledger";
import type { ParticipantAdmin } from "./participant-admin.ts";

export async function describeSequencers({ client }: ParticipantAdmin): Promise<WireSequencerConnections> {
  const { urls, threshold, needed: said } = await client.getSequencerConnections({});
  // A participant of an earlier release does not say it.
  const needed = said ?? threshold ?? requiredConfirmations(urls.length);
  return {
    connections: urls.map((url) => {
      const { protocol, hostname, port } = new URL(url);
      const isSecure = protocol === "https:";
      return {
        sequencer_alias: url,
        endpoints: [`${hostname}:${port === "" ? (isSecure ? 443 : 80) : port}`],
        transport_security: isSecure,
      };
    }),
    sequencer_trust_threshold: needed,
    sequencer_liveness_margin: Math.max(0, urls.length - needed),
    submission_request_amplification: {
      factor: urls.length,
      patience_seconds: SUBMISSION_PATIENCE_MILLISECONDS / 1000,
    },
  };
}
