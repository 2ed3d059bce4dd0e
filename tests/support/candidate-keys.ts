/** Keys of a candidate that becomes an SV, as it is configured with them. */
import { generateKeyPairSync } from "node:crypto";

export function newCandidateKeys() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    publicKey: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
    privateKey: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
  };
}
