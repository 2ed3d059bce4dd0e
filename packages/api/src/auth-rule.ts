/** The rules of who may call an operation. Every endpoint names its rule; servers enforce it, documents show it. */
export const authRules = {
  none: "No token is needed.",
  user:
    "Any valid token; its user need not exist on the participant. " +
    "Without an Authorization header the query parameter access_token is taken.",
  "wallet-user":
    "The token's user has a wallet here, is active on the participant and may act as the wallet's party. " +
    "What the operation shows and moves is that party's alone.",
  "validator-operator":
    "The token's user is active on the participant, has ParticipantAdmin and the operator's party as its own, and " +
    "may act as it.",
  "sv-operator": "The token's user operates the SV.",
  member: "The token of a session that the member opened by signing a challenge.",
  loopback: "No token is needed; only this machine can reach it.",
  socket: "No token is needed; the process's own user alone can open its control socket.",
  "ledger:none": "No token is needed; a valid token of an unknown user is refused all the same.",
  "ledger:public": "Any user of the participant.",
  "ledger:admin": "ParticipantAdmin.",
  "ledger:admin-or-idp-admin":
    "ParticipantAdmin, or IdentityProviderAdmin for the identity provider that the request names.",
  "ledger:admin-or-idp-admin-or-self":
    "ParticipantAdmin, IdentityProviderAdmin of that identity provider, or the user whom the request is about.",
  "ledger:admin-or-idp-admin-or-operate-as":
    "ParticipantAdmin, IdentityProviderAdmin of that identity provider, or a user who may act, read or execute " +
    "as every party that is asked for.",
  "ledger:public-or-operate-as":
    "Any user of the participant; where a party is named, who may act, read or execute as it, or one of the admins.",
  "ledger:grant-rights":
    "ParticipantAdmin, or IdentityProviderAdmin of that identity provider; only ParticipantAdmin where the " +
    "rights include ParticipantAdmin or a right for any party.",
  "ledger:act-as":
    "The token's user, who may act as every party of actAs and read as every party of readAs; a userId in the " +
    "body must be that user. The parties of a format need the right to read as them.",
  "ledger:act-as-submitter":
    "The token's user, who may act as the submitter; a userId in the body must be that user.",
  "ledger:prepare":
    "The token's user, who may read as every party of actAs and readAs; a userId in the body must be that user.",
  "ledger:read-own-completions":
    "The token's user, who may read as every party that is named; another user's, who may read as any party.",
  "ledger:read-completions-of-parties":
    "The right to read as every party that is named, or as any party where none is.",
  "ledger:read-contract":
    "The right to read as every querying party, or as any party where none is named. " +
    "ParticipantAdmin alone reads nothing.",
  "ledger:read-as":
    "The right to read as each party of filtersByParty, and as any party where filtersForAnyParty is given. " +
    "ParticipantAdmin alone reads nothing.",
} as const;

export type AuthRule = keyof typeof authRules;
