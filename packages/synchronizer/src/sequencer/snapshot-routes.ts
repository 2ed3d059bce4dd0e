/** The operations of a sequencer that hand a snapshot to other SVs, part by part. */
import { type SnapshotPartQuestion, snapshotPartMessage, spliceError } from "@callsign/api";
import { formatJson, Refusal } from "@callsign/node";
import type { PeerRouteParts } from "./peer-routes.ts";

type SnapshotRouteParts = Pick<PeerRouteParts, "peer" | "network" | "holds" | "snapshot">;

export function snapshotRoutes({ peer, network, holds, snapshot }: SnapshotRouteParts) {
  const needNetwork = (): string => {
    const id = network();
    if (id !== null) return id;
    throw new Refusal(spliceError(503, "The network is not founded yet: try again in a second"));
  };
  return {
    getSnapshot: () => {
      needNetwork();
      const source = snapshot();
      if (source === null) return { snapshot: null };
      return { snapshot: { manifest: formatJson(source.manifest), proof: formatJson(source.proof) } };
    },
    getSnapshotPart: async ({ body }: { readonly body: SnapshotPartQuestion }) => {
      const { sv, sequence, part } = body;
      if (!holds(sv, snapshotPartMessage(needNetwork(), peer.id, body), body))
        throw new Refusal(
          spliceError(403, `No part for ${JSON.stringify(sv)}: an SV asks by its signing key on the ledger`),
        );
      const source = snapshot();
      const { head, parts = [] } = source?.manifest ?? {};
      if (source === null || head?.sequence !== sequence || parts[part] === undefined)
        throw new Refusal(
          spliceError(
            404,
            `No part ${part} of a snapshot after entry ${sequence}: the last one has ${parts.length} parts and is ` +
              `after entry ${head?.sequence ?? 0}. Ask for the snapshot again`,
          ),
        );
      return { part: await source.part(part) };
    },
  };
}
