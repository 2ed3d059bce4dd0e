/** The operations that change how a node is administered: each leaves an audit record (decision 0032). */
import type { AuthRule } from "./auth-rule.ts";
import type { Endpoint } from "./endpoint.ts";

const ADMINISTRATIVE: ReadonlySet<AuthRule> = new Set([
  ...(["ledger:admin", "ledger:admin-or-idp-admin", "ledger:admin-or-idp-admin-or-self"] as const),
  ...(["ledger:grant-rights", "validator-operator", "sv-operator", "loopback"] as const),
]);
/** These read, although their requests have bodies. */
const READS: ReadonlySet<string> = new Set([
  "listVoteRequestsByTrackingCid",
  "listVoteRequestResults",
  "validateDar",
]);
/** Anybody may call these: they hand out onboarding secrets and take them, let in candidates, and give wallets to users. */
const OPEN: ReadonlySet<string> = new Set([
  "onboardValidator",
  "devNetOnboardValidatorPrepare",
  "startSvOnboarding",
  "register",
]);

export function isAudited({ method, auth, id }: Endpoint): boolean {
  if (method === "GET") return false;
  return (ADMINISTRATIVE.has(auth) && !READS.has(id)) || OPEN.has(id);
}
