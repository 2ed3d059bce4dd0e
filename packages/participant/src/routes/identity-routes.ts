/** The participant's id and public keys. */
import { fingerprintOf } from "@callsign/ledger";
import { type KeptIdentity, type SigningKey, sha256 } from "@callsign/node";
import type { AdminHandlers } from "./route-parts.ts";

export function identityRoutes(identity: KeptIdentity) {
  return {
    getIdentity: () => {
      const { id, namespaceKey, presentKey, nextKey } = identity;
      const keys = [keyOf("namespace", namespaceKey), keyOf("signing", presentKey)];
      if (nextKey !== null) keys.push(keyOf("next-signing", nextKey));
      return { participantId: id, keys };
    },
  } satisfies Partial<AdminHandlers>;
}

function keyOf(name: "namespace" | "signing" | "next-signing", { publicKey }: SigningKey) {
  return { name, publicKey, fingerprint: fingerprintOf(sha256, publicKey) };
}
