// A complete validator, which rows of effects change.

export const ALICE = `alice::1220${"a".repeat(64)}`;
export const BOB = `bob::1220${"b".repeat(64)}`;

/** A validator that is configured completely. */
export const VALIDATOR_BASE = {
  svSponsorAddress: "https://sv.example.com",
  validatorPartyHint: "acme-names-1",
  nodeIdentifier: "acme-node-1",
  migration: { id: 7 },
  scanAddress: "https://scan.example.com",
  validatorWalletUsers: ["alice"],
  auth: { audience: "https://validator.acme.example", jwksUrl: "https://id.acme.example/keys" },
  callsign: {
    participantAuth: {
      wellKnownConfigUrl: "https://id.acme.example/.well-known/openid-configuration",
      clientId: "client-1",
      clientSecret: "base-client-secret",
      audience: "https://ledger.acme.example",
    },
  },
};

/** Secrets beside it; a key of the values wins over them. */
export const BASE_SECRETS = {
  "postgres-secrets/postgresPassword": "base-password\n",
  "other-postgres/postgresPassword": "other-password\n",
  "log-postgres-secrets/postgresPassword": "log-password\n",
  "log-nats-secrets/password": "nats-password\n",
  "log-nats-secrets/systemPassword": "nats-system-password\n",
  "other-nats/password": "other-password\n",
  "other-nats/systemPassword": "other-system-password\n",
  "splice-app-validator-onboarding-validator/secret": "base-onboarding-secret\n",
  "splice-app-validator-onboarding-validator/other-key": "secret-of-other-key",
  "other-onboarding/secret": "secret-of-other-name",
  "splice-app-validator-ledger-api-auth/ledger-api-user": "base-admin\n",
  "splice-app-validator-ledger-api-auth/token": "base-token\n",
  "splice-app-validator-ledger-api-auth/other-user": "admin-of-other-key",
  "other-auth/ledger-api-user": "admin-of-other-name",
};
