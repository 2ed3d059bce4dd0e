/** A submission of an SV: it acts as its own party and reads as the DSO, whose authority comes from the contracts it signed. */
import type { Command, EntryContent, PartyId, Time } from "@callsign/ledger";

export interface OwnSubmission {
  readonly network: string;
  readonly dso: PartyId;
  readonly member: string;
  readonly party: PartyId;
  readonly submissionId: string;
  readonly maxRecordTime: Time;
  readonly commandId: string;
  readonly deduplicateFrom: Time;
  readonly commands: readonly Command[];
}

export function ownSubmission({ party, dso, commands, ...named }: OwnSubmission): EntryContent {
  return {
    tag: "Submit",
    value: {
      ...named,
      userId: "sv",
      workflowId: "",
      actAs: [party],
      readAs: [dso],
      minLedgerTime: null,
      commands: [...commands],
      disclosed: [],
    },
  };
}
