/** Keys about the tokens that a role accepts. */
import { type Key, type KeyTable, key } from "./key.ts";
import { FLAG } from "./key-type.ts";

type Paths = readonly string[];

/** Tokens that are signed with a secret which both sides know; the paths are those of additional configuration. */
export function sharedSecretKeys(hocon: { readonly algorithm: Paths; readonly secret: Paths }): KeyTable {
  return [
    key(
      "callsign.auth.algorithm",
      { kind: "choice", of: ["rs-256", "hs-256-unsafe"] },
      "how tokens are signed; the second is for one machine alone",
      { otherwise: "`rs-256`", hocon: hocon.algorithm },
    ),
    key("callsign.auth.secret", { kind: "text", max: 1000 }, "the shared secret of `hs-256-unsafe`", {
      isSecret: true,
      hocon: hocon.secret,
    }),
  ];
}

export function disableAuthKey(meaning: string): Key {
  return key("disableAuth", FLAG, meaning, { otherwise: "`false`", variables: ["CALLSIGN_DISABLE_AUTH"] });
}
