/** Examples of the operations on parties whose keys are kept elsewhere. */
import type { ledgerApi } from "../../src/index.ts";
import type { Examples } from "../example.ts";
import { alice, synchronizer } from "./samples.ts";

const signature = {
  format: "SIGNATURE_FORMAT_CONCAT",
  signature: "c2lnbmVk",
  signedBy: "1220ab",
  signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
};
const publicKey = {
  format: "CRYPTO_KEY_FORMAT_RAW",
  keyData: "a2V5",
  keySpec: "SIGNING_KEY_SPEC_EC_CURVE25519",
};

export const externalPartyExamples = {
  allocateExternalParty: {
    request: {
      body: {
        synchronizer,
        onboardingTransactions: [{ transaction: "dG9wb2xvZ3k=", signatures: [signature] }],
      },
    },
    received: {
      body: {
        synchronizer,
        onboardingTransactions: [{ transaction: "dG9wb2xvZ3k=", signatures: [signature] }],
        multiHashSignatures: [],
        identityProviderId: "",
        waitForAllocation: null,
        userId: "",
      },
    },
    response: { partyId: alice },
  },
  generateExternalPartyTopology: {
    request: { body: { synchronizer, partyHint: "alice", publicKey } },
    received: {
      body: {
        synchronizer,
        partyHint: "alice",
        publicKey,
        localParticipantObservationOnly: false,
        otherConfirmingParticipantUids: [],
        confirmationThreshold: 0,
        observingParticipantUids: [],
      },
    },
    response: {
      partyId: alice,
      publicKeyFingerprint: "1220ab",
      topologyTransactions: ["dG9wb2xvZ3k="],
      multiHash: "aGFzaA==",
    },
  },
} satisfies Partial<Examples<typeof ledgerApi>>;
