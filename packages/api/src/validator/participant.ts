/** The validator's participant: its identity, its connections, and a snapshot of its users and contracts. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int32, int64, int64Parameter } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { base64, dateTime } from "../wire/texts.ts";

/** A key that stays with the participant. Splice has keys in clear here, or keys of a key service in this form. */
const KeptKey = z
  .object({
    type: z.enum(["signing", "encryption"]),
    /** The fingerprint of the public key. */
    keyId: z.string(),
    name: z.string(),
  })
  .meta({ id: "KmsKeyId" });

const NodeIdentitiesDump = z
  .object({
    id: z.string(),
    keys: z.array(KeptKey),
    /** JSON: the participant's public keys and the parties that it hosts. */
    authorizedStoreSnapshot: base64,
    version: z.string(),
  })
  .meta({ id: "NodeIdentitiesDump" });
export type NodeIdentitiesDump = z.output<typeof NodeIdentitiesDump>;

const SequencerConnections = z
  .object({
    connections: z.array(
      z.object({
        sequencer_alias: z.string(),
        /** `<host>:<port>` */
        endpoints: z.array(z.string()),
        transport_security: z.boolean(),
      }),
    ),
    /** The number of sequencers that must deliver the same. */
    sequencer_trust_threshold: int32,
    /** The number of sequencers that are followed beyond these. */
    sequencer_liveness_margin: int32,
    /** An entry goes to so many sequencers at most: to the next one after this time without an answer. */
    submission_request_amplification: z.object({ factor: z.number(), patience_seconds: z.number() }),
  })
  .meta({ id: "SequencerConnectionConfig" });
export type WireSequencerConnections = z.output<typeof SequencerConnections>;

const UserRight = z.object({
  kind: z.enum([
    "participantAdmin",
    "canActAs",
    "canReadAs",
    "canExecuteAs",
    "identityProviderAdmin",
    "canReadAsAnyParty",
    "canExecuteAsAnyParty",
  ]),
  party: orNull(z.string()),
});

const ParticipantUsersData = z
  .object({
    identityProviders: z.array(
      z.object({
        id: z.string(),
        isDeactivated: z.boolean(),
        jwksUrl: z.string(),
        issuer: z.string(),
        audience: z.string(),
      }),
    ),
    users: z.array(
      z.object({
        id: z.string(),
        primaryParty: orNull(z.string()),
        rights: z.array(UserRight),
        isDeactivated: z.boolean(),
        annotations: z.array(z.object({ key: z.string(), value: z.string() })),
        identityProviderId: z.string(),
      }),
    ),
  })
  .meta({ id: "ParticipantUsersData" });
export type ParticipantUsersData = z.output<typeof ParticipantUsersData>;

const DomainMigrationDump = z
  .object({
    participant: NodeIdentitiesDump,
    participant_users: ParticipantUsersData,
    /** Compressed by gzip: a line of JSON for each active contract, as the ledger API writes them. */
    acs_snapshot: base64,
    acs_timestamp: dateTime,
    /** Always empty: the packages are built in and have no archives. */
    dars: z.array(z.object({ hash: z.string(), content: base64 })),
    migration_id: int64,
    domain_id: z.string(),
    created_at: dateTime,
    synchronizer_was_paused: z.boolean(),
    separate_payload_files: z.boolean(),
    acs_format: z.enum(["admin_api", "ledger_api"]),
  })
  .meta({ id: "DomainMigrationDump" });
export type DomainMigrationDump = z.output<typeof DomainMigrationDump>;

export const validatorParticipant = defineEndpoints({
  method: "GET",
  tags: ["validator"],
  auth: "validator-operator",
})({
  dumpParticipantIdentities: {
    path: "/v0/admin/participant/identities",
    summary: "The participant's id and its keys by their fingerprints",
    description: "Private keys stay with the participant: `callsign identity export` copies them.",
    success: json(NodeIdentitiesDump),
    errors: [401, 403, 404, 500, 503],
  },
  getDecentralizedSynchronizerConnectionConfig: {
    path: "/v0/admin/participant/global-domain-connection-config",
    summary: "The sequencers that the participant is connected to",
    success: json(z.object({ sequencer_connections: SequencerConnections })),
    errors: [401, 403, 404, 500, 503],
  },
  getValidatorDomainDataSnapshot: {
    path: "/v0/admin/domain/data-snapshot",
    summary: "The users of the participant, and the contracts of the validator's parties at a time",
    query: z.object({
      /** In UTC: `2026-01-31T12:00:00.000Z`. */
      timestamp: z.string(),
      /** The one after the validator's own if omitted. */
      migration_id: orNull(int64Parameter),
      /** True: a time that the ledger has not reached is taken for its end. */
      force: orNull(z.enum(["true", "false"])),
    }),
    success: json(
      z
        .object({ data_snapshot: DomainMigrationDump, migration_id: int64 })
        .meta({ id: "GetValidatorDomainDataSnapshotResponse" }),
    ),
    errors: [400, 401, 403, 404, 500, 502, 503],
  },
});
