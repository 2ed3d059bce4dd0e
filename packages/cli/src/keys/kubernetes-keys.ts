/** Keys of Splice's charts about containers, the Java machine and scheduling. They are accepted and have no effect here. */
import { type KeyTable, unusedKeys } from "./key.ts";

const OF_KUBERNETES = "it is for Kubernetes, and this is a process";
const OF_JAVA = "there is no Java machine";
export const OF_CANTON = "a dump has keys of Canton: callsign identity import brings a lost participant back";
const OF_POSTGRES = "it is for the chart of the database";

/** Keys that the charts of validator and participant both have. */
export const KUBERNETES_KEYS: KeyTable = [
  ...unusedKeys(OF_KUBERNETES, {
    imageRepo: "where images come from",
    imageDigests: "digests of images",
    imagePullPolicy: "when images are pulled",
    resources: "processor and memory of the container",
    "pod.annotations": "annotations of the pod",
    "pod.labels": "labels of the pod",
    enableReloader: "annotation for a reloader",
    nodeSelector: "scheduling",
    affinity: "scheduling",
    tolerations: "scheduling",
    serviceAccountName: "the pod's account",
    extraInitContainers: "containers that run before",
    extraVolumes: "further volumes",
    extraVolumeMounts: "where they are mounted",
    enableHealthProbes: "whether Kubernetes probes; `/readyz` and `/livez` are always served",
    livenessProbeInitialDelaySeconds: "when the first liveness probe comes",
    "metrics.enable": "makes a scrape resource; `/metrics` is always served",
    "metrics.release": "label of the scrape resource",
    "metrics.interval": "how often it scrapes",
    enablePostgresMetrics: "an exporter of the database's metrics",
    "persistence.enablePgInitContainer": "makes the database; here that is done at the start",
    "persistence.postgresName": "name of the exporter",
    "pvc.size": "size of a volume",
    "pvc.volumeName": "name of a volume",
    "pvc.volumeStorageClass": "class of a volume",
  }),
  ...unusedKeys(OF_JAVA, { defaultJvmOptions: "memory and threads of the Java machine" }),
  ...unusedKeys("log lines are written at once", { logAsyncFlush: "whether log lines are buffered" }),
  ...unusedKeys("calls are logged at one level", { apiRequestLogLevel: "level of lines about calls" }),
  ...unusedKeys(OF_POSTGRES, {
    "db.volumeSize": "size of the database's volume",
    "db.volumeStorageClass": "class of the database's volume",
    "db.pvcTemplateName": "name of the volume's template",
    "db.maxConnections": "connections of the database",
    "db.maxWalSize": "size of the database's write-ahead log",
    "db.dataSource": "where the volume's data comes from",
    "db.extraArgs": "arguments of the database",
    extraArgs: "arguments of the database",
  }),
];

/** Keys of the validator's chart. */
export const VALIDATOR_KUBERNETES_KEYS: KeyTable = [
  ...unusedKeys(OF_KUBERNETES, {
    "migration.attachPvc": "a volume for the dump of a migration",
    "service.ans.port": "port of the name-service UI",
    "service.wallet.port": "port of the wallet UI",
  }),
  ...unusedKeys("the web application is on the validator's own port", {
    "ansWebUi.enabled": "whether the name-service UI is deployed",
    "validatorWebUi.enabled": "whether the wallet UI is deployed",
  }),
  ...unusedKeys("each page knows how often to ask", {
    uiPollInterval: "how often UIs ask, in milliseconds",
  }),
  ...unusedKeys("packages are part of the program", {
    appDars: "packages to upload",
    maxVettingDelay: "random delay before packages are vetted",
  }),
  ...unusedKeys("there is one synchronizer", {
    "extraDomains[].alias": "a synchronizer's name",
    "extraDomains[].url": "its address",
  }),
  ...unusedKeys("the store is made anew from the participant", {
    "txLogBackfilling.enabled": "whether the wallet's history is backfilled",
    "txLogBackfilling.batchSize": "in batches of this size",
    disableIngestUpdateHistoryFromParticipantBegin: "of no use in Splice either",
  }),
  ...unusedKeys("backups to a bucket are not offered", {
    "participantIdentitiesDumpPeriodicBackup.backupInterval": "how often identities are saved",
    "participantIdentitiesDumpPeriodicBackup.prefix": "prefix of the files",
    "participantIdentitiesDumpPeriodicBackup.location.bucket.projectId": "the bucket's project",
    "participantIdentitiesDumpPeriodicBackup.location.bucket.bucketName": "the bucket's name",
    "participantIdentitiesDumpPeriodicBackup.location.bucket.secretName": "the secret for the bucket",
    "participantIdentitiesDumpPeriodicBackup.location.prefix": "prefix of the files",
  }),
  ...unusedKeys(OF_CANTON, {
    "participantIdentitiesDumpImport.secretName": "the secret with the dump",
    migrateValidatorParty: "moves the operator's party to the new participant",
  }),
  ...unusedKeys("versions are told in answers, and none is refused", {
    failOnAppVersionMismatch: "whether peers of other versions are refused",
  }),
];

/** Keys of the participant's chart. */
export const PARTICIPANT_KUBERNETES_KEYS: KeyTable = [
  ...unusedKeys(OF_KUBERNETES, { "metrics.migration.id": "label of the scrape resource" }),
  ...unusedKeys("keys are in the data folder or the database", {
    kms: "a key management service for the participant's keys",
  }),
];
