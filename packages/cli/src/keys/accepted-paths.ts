/** Paths of additional configuration that Splice's own deployments set, and that have no effect here. */
import { PARTICIPANT_ROOT, VALIDATOR_ROOT } from "./hocon-roots.ts";
import { OF_CANTON } from "./kubernetes-keys.ts";

export interface AcceptedPath {
  readonly path: string;
  readonly reason: string;
}

const OF_JAVA = "it is for Java's driver of the database";

function storagePaths(root: string): readonly AcceptedPath[] {
  const properties = ["tcpKeepAlive", "connectTimeout", "socketTimeout", "ApplicationName"];
  return [
    { path: `${root}.storage.type`, reason: "persistence.host says which database is used" },
    { path: `${root}.storage.config.dataSourceClass`, reason: OF_JAVA },
    ...properties.map((name) => ({ path: `${root}.storage.config.properties.${name}`, reason: OF_JAVA })),
    { path: `${root}.storage.parameters`, reason: OF_JAVA },
  ];
}

export const ACCEPTED_PATHS: readonly AcceptedPath[] = [
  ...storagePaths(VALIDATOR_ROOT),
  ...storagePaths(PARTICIPANT_ROOT),
  ...[
    ["app-instances", "packages are part of the program"],
    ["max-vetting-delay", "packages are part of the program"],
    ["domains.global.alias", "there is one synchronizer"],
    ["domains.extra", "there is one synchronizer"],
    ["tx-log-backfill-enabled", "the store is made anew from the participant"],
    ["tx-log-backfill-batch-size", "the store is made anew from the participant"],
    ["participant-identities-backup", "backups to a bucket are not offered"],
    ["participant-bootstrapping-dump.type", OF_CANTON],
    ["participant-bootstrapping-dump.file", OF_CANTON],
    ["migrate-validator-party", OF_CANTON],
    ["participant-client.admin-api.port", "callsign.participantUrl says where the participant is"],
    [
      "participant-client.ledger-api.client-config.port",
      "callsign.participantUrl says where the participant is",
    ],
  ].map(([path = "", reason = ""]) => ({ path: `${VALIDATOR_ROOT}.${path}`, reason })),
  { path: `${PARTICIPANT_ROOT}.crypto`, reason: "keys are in the data folder or the database" },
];
