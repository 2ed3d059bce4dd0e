/** Brings the last snapshot of another SV into a folder, part by part. Its proof is checked before, and each part's hash. */
import { createClient, type Fetch, sequencerApi, snapshotPartMessage } from "@callsign/api";
import type { Hash, Verify } from "@callsign/ledger";
import { type MemberIdentity, parseJson, type Timers } from "@callsign/node";
import { checkSnapshot } from "./check-snapshot.ts";
import type { SnapshotProof } from "./snapshot-file.ts";
import type { SnapshotFolder } from "./snapshot-folder.ts";
import type { SnapshotManifest } from "./snapshot-parts.ts";

export interface FetchingParts {
  /** The other SV's sequencer. */
  readonly url: string;
  /** The SV that asks. */
  readonly identity: Pick<MemberIdentity, "id" | "signingKey">;
  readonly folder: SnapshotFolder;
  /** The entry behind which the log begins: an earlier snapshot is of no use. */
  readonly start: number;
  readonly fetch: Fetch;
  readonly timers: Timers;
  readonly hash: Hash;
  readonly verify: Verify;
}

/** Resolves with the entry of the snapshot, whose file is whole and proven then. Throws with the reason if there is none. */
export async function fetchSnapshot(parts: FetchingParts): Promise<number> {
  const { url, identity, folder, hash, verify, fetch, timers } = parts;
  const client = createClient(sequencerApi, { fetch, timers, baseUrl: url });
  const { sequencer: asked } = await client.getNetwork();
  const { snapshot } = await client.getSnapshot();
  if (snapshot === null) throw new Error("it has no snapshot that a quorum of the SVs attested");
  const manifest = parseJson(snapshot.manifest) as SnapshotManifest;
  const proof = parseJson(snapshot.proof) as SnapshotProof;
  const checked = checkSnapshot({ manifest, proof }, { hash, verify });
  if (!checked.ok) throw new Error(`its snapshot is not taken: ${checked.fault}`);
  const { sequence } = manifest.head;
  if (sequence < parts.start)
    throw new Error(`its snapshot ends with entry ${sequence}, and the log begins behind ${parts.start}`);
  const { id: sv, signingKey } = identity;
  const file = folder.create(sequence);
  try {
    for (const [part, expected] of manifest.parts.entries()) {
      const question = { sv, sequence, part };
      const message = snapshotPartMessage(manifest.network, asked, question);
      const signed = { publicKey: signingKey.publicKey, signature: signingKey.sign(message) };
      const { part: body } = await client.getSnapshotPart({ body: { ...question, ...signed } });
      if (hash(body) !== expected) throw new Error(`part ${part} of its snapshot is not what its hash says`);
      file.addPart(part, body);
    }
    file.finish(manifest);
    file.prove(proof);
  } finally {
    file.close();
  }
  return sequence;
}
