import { hash } from "node:crypto";

/** The runtime's own SHA-256, as the ledger wants it handed in. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}
