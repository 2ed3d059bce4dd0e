/** The sequencers by which a participant reaches its network. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int32, int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";

/** The largest number of sequencers that a participant connects to. */
export const MAX_SEQUENCERS = 32;

/** A participant hands an entry to the next sequencer after this time without an answer, or after an error. */
export const SUBMISSION_PATIENCE_MILLISECONDS = 300;

const SequencerConnections = z
  .object({
    /** Base URLs. Two URLs of one SV count once, and a URL of another node than an SV's not at all. */
    urls: z.array(z.string()),
    /** The number of SVs that must deliver the same; null: of the network's n SVs ⌈(n + f + 1) / 2⌉, with f = ⌊(n − 1) / 3⌋. */
    threshold: orNull(int32),
  })
  .meta({ id: "SequencerConnections" });

const ConnectedSequencers = SequencerConnections.extend({
  /** The network's migration that the participant's store belongs to; null if the participant was not told. */
  migrationId: orNull(int64),
  /** The number of SVs that must deliver the same, by the threshold or the network's SVs; until those are known, by the URLs. */
  needed: orNull(int32),
}).meta({ id: "ConnectedSequencers" });

export const participantSequencers = defineEndpoints({
  path: "/v1/sequencer-connections",
  tags: ["sequencers"],
  auth: "ledger:admin",
  success: json(SequencerConnections),
})({
  getSequencerConnections: {
    method: "GET",
    summary: "The sequencers that the participant is connected to",
    success: json(ConnectedSequencers),
    errors: [401, 403],
  },
  setSequencerConnections: {
    method: "PUT",
    summary: "Connects to these sequencers and to no other, at once and after every restart",
    body: SequencerConnections,
    errors: [400, 401, 403],
  },
});
