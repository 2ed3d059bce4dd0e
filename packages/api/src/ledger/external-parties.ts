/** Parties whose keys are kept elsewhere. Both operations are understood, and answered that they are not offered. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int32 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { base64 } from "../wire/texts.ts";
import { boolean, string, strings } from "./proto.ts";

/** Format, key and algorithm are names of protobuf's: without a default. */
const Signature = z.object({
  format: z.string(),
  signature: base64.default(""),
  signedBy: string,
  signingAlgorithmSpec: z.string(),
});

const signatures = z.array(Signature).default([]);

const AllocateExternalPartyRequest = z
  .object({
    synchronizer: string,
    onboardingTransactions: z.array(z.object({ transaction: base64.default(""), signatures })).default([]),
    multiHashSignatures: signatures,
    identityProviderId: string,
    /** Null: true. */
    waitForAllocation: orNull(z.boolean()),
    /** A user who gets the right to act as the new party. */
    userId: string,
  })
  .meta({ id: "AllocateExternalPartyRequest", required: ["synchronizer", "onboardingTransactions"] });

const GenerateExternalPartyTopologyRequest = z
  .object({
    synchronizer: string,
    partyHint: string,
    publicKey: orNull(z.object({ format: z.string(), keyData: base64.default(""), keySpec: z.string() })),
    localParticipantObservationOnly: boolean,
    otherConfirmingParticipantUids: strings,
    confirmationThreshold: int32.default(0),
    observingParticipantUids: strings,
  })
  .meta({
    id: "GenerateExternalPartyTopologyRequest",
    required: ["synchronizer", "partyHint", "publicKey"],
  });

export const ledgerExternalParties = defineEndpoints({ tags: ["parties"], errors: [400, 401, 403, 501] })({
  allocateExternalParty: {
    method: "POST",
    path: "/v2/parties/external/allocate",
    summary: "Not offered: parties here are kept by their participant",
    auth: "ledger:admin-or-idp-admin-or-self",
    body: AllocateExternalPartyRequest,
    success: json(z.object({ partyId: z.string() })),
  },
  generateExternalPartyTopology: {
    method: "POST",
    path: "/v2/parties/external/generate-topology",
    summary: "Not offered: parties here are kept by their participant",
    auth: "ledger:public",
    body: GenerateExternalPartyTopologyRequest,
    success: json(
      z.object({
        partyId: z.string(),
        publicKeyFingerprint: z.string(),
        topologyTransactions: z.array(base64),
        multiHash: base64,
      }),
    ),
  },
});
