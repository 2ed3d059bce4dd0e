/** Operations of Splice's scan that answer 501: the text says why, and what to use instead. */
import { spliceError } from "@callsign/api";
import { Refusal } from "@callsign/node";
import type { ScanHandlers } from "./scan-handlers.ts";

/** `why` is a sentence without its end; `instead` an instruction. */
function notOffered(what: string, why: string, instead: string): () => never {
  return () => {
    throw new Refusal(spliceError(501, `This scan does not offer ${what}: ${why}. Instead, ${instead}.`));
  };
}

const copies = notOffered(
  "copies of updates in the encoding protobuf_json",
  "values are kept without the types that it writes down, and scans of this network read the log, not each other",
  "read updates in order with POST /v2/updates",
);
const identities = notOffered(
  "the topology of the synchronizer",
  "Splice declares the operation and serves it nowhere, and this network has no topology transactions of Canton's",
  "read the SVs and their sequencers with GET /v0/dso and GET /v0/dso-sequencers",
);

export function notOfferedRoutes() {
  return {
    getUpdatesBefore: copies,
    getImportUpdates: copies,
    getAcsSnapshot: notOffered(
      "a party's contracts as a file of Canton's",
      "the file is in a format of Canton's participants, which no program here writes or reads",
      "read contracts at a snapshot with POST /v1/state/acs, or those of your own parties from a participant",
    ),
    getSynchronizerIdentities: identities,
    getSynchronizerBootstrappingTransactions: identities,
  } satisfies ScanHandlers;
}
