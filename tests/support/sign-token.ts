import { createHmac } from "node:crypto";
import { TOKEN_SECRET } from "../../packages/localnet/src/tokens.ts";

/** A token with these claims, and no others; by default with the secret that participants of tests trust. */
export function signToken(claims: object, { secret = TOKEN_SECRET, alg = "HS256" } = {}): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg, typ: "JWT" })}.${part(claims)}`;
  return `${signed}.${alg === "none" ? "" : createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
