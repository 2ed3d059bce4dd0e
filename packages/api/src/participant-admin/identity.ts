/** The participant's name and its public keys. Private ones never leave it over the network. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";

const ParticipantIdentity = z
  .object({
    participantId: z.string(),
    keys: z.array(
      z.object({
        /** `next-signing` is the key of a rotation under way. */
        name: z.enum(["namespace", "signing", "next-signing"]),
        /** Ed25519, in hex. */
        publicKey: z.string(),
        fingerprint: z.string(),
      }),
    ),
  })
  .meta({ id: "ParticipantIdentity" });

export const participantIdentity = defineEndpoints({ tags: ["identity"], auth: "ledger:admin" })({
  getIdentity: {
    method: "GET",
    path: "/v1/identity",
    summary: "The participant's id and its public keys",
    success: json(ParticipantIdentity),
    errors: [401, 403],
  },
});
