/** The keys of the web application's login: an authority and a client id for each UI, as the secrets of Splice's charts have them. */
import { type KeyTable, key, under } from "./key.ts";
import { TEXT, URL_TEXT } from "./key-type.ts";

/** The first word of its keys: `callsign.ui.<name>`. */
export type UiName = "wallet" | "names" | "sv";

interface UiKeys {
  readonly ui: string;
  readonly secret: string;
  readonly otherwise: string;
  readonly authority?: readonly string[];
  readonly clientId?: readonly string[];
}

function uiKeys(name: UiName, { ui, secret, otherwise, authority = [], clientId = [] }: UiKeys): KeyTable {
  return under(`callsign.ui.${name}`, [
    key("authority", URL_TEXT, `the OpenID provider of the ${ui}: its issuer`, {
      otherwise,
      variables: authority,
      mounted: { name: secret, key: "url" },
    }),
    key("clientId", TEXT, `the client id of the ${ui}, a public client of that provider`, {
      otherwise,
      variables: clientId,
      mounted: { name: secret, key: "client-id" },
    }),
  ]);
}

function addressKey(name: UiName, ui: string, variables: readonly string[] = []): KeyTable {
  const meaning = `the address that people open the ${ui} at; payments on the other UI may lead back to it`;
  return [
    key(`callsign.ui.${name}.url`, URL_TEXT, meaning, { otherwise: "not known to the other", variables }),
  ];
}

const AUDIENCE = "callsign.ui.audience";

export const VALIDATOR_UI_KEYS: KeyTable = [
  ...uiKeys("wallet", {
    ui: "wallet UI",
    secret: "splice-app-wallet-ui-auth",
    otherwise: "nobody can log in to it",
    authority: ["SPLICE_APP_UI_AUTH_URL", "AUTH_URL"],
    clientId: ["SPLICE_APP_UI_AUTH_CLIENT_ID", "WALLET_UI_CLIENT_ID"],
  }),
  ...addressKey("wallet", "wallet UI", ["SPLICE_APP_WALLET_REDIRECT"]),
  ...uiKeys("names", {
    ui: "name-service UI",
    secret: "splice-app-cns-ui-auth",
    otherwise: "that of the wallet UI",
    clientId: ["ANS_UI_CLIENT_ID"],
  }),
  ...addressKey("names", "name-service UI"),
  key(AUDIENCE, TEXT, "the audience of the tokens that UIs ask for", {
    otherwise: "`auth.audience`",
    variables: ["SPLICE_APP_UI_AUTH_AUDIENCE"],
  }),
];

export const SV_UI_KEYS: KeyTable = [
  ...uiKeys("sv", {
    ui: "SV UI",
    secret: "splice-app-sv-ui-auth",
    otherwise: "nobody can log in to it",
    authority: ["SPLICE_APP_UI_AUTH_URL"],
    clientId: ["SPLICE_APP_UI_AUTH_CLIENT_ID"],
  }),
  key(AUDIENCE, TEXT, "the audience of the tokens that it asks for", {
    otherwise: "`auth.audience`",
    variables: ["SPLICE_APP_UI_AUTH_AUDIENCE"],
  }),
];
