/** Requests that are whole and ask for nothing, where it matters only who sends them, or that they are answered. */

export const VET_NOTHING = { changes: [{ operation: { Vet: { value: { packages: [] } } } }] };

export const EXECUTE_NOTHING = {
  preparedTransaction: "",
  partySignatures: { signatures: [] },
  deduplicationPeriod: { Empty: {} },
  submissionId: "s",
  hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
};
