// The helm charts: rendered by Go's template engine, parsed, and their values read by the command that the pod runs.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readParticipantSetup } from "../../packages/cli/src/settings/read-participant-setup.ts";
import { readValidatorSetup } from "../../packages/cli/src/settings/read-validator-setup.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { beforeAllOrSkip } from "../support/before-all-or-skip.ts";
import { needPackage } from "../support/postgres.ts";
import { buildRenderer, type Resource } from "./charts.ts";

const atEnd = atEndOfFile();
let render: ReturnType<typeof buildRenderer>;

beforeAllOrSkip(async (context) => {
  await needPackage("golang-go", context);
  render = buildRenderer(atEnd);
}, 600_000);

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env?: readonly object[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe?: { readonly httpGet: object; readonly initialDelaySeconds: number };
  readonly readinessProbe?: { readonly httpGet: object };
  readonly resources?: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Pod {
  readonly metadata: { readonly labels: object; readonly annotations: object };
  readonly spec: {
    readonly containers: readonly [Container];
    readonly volumes: readonly { readonly name: string; readonly [kind: string]: unknown }[];
    readonly securityContext: object;
    readonly [key: string]: unknown;
  };
}

function get(resources: ReadonlyMap<string, Resource>, kind: string): Resource {
  const resource = resources.get(kind);
  if (resource === undefined) throw new Error(`no ${kind} among ${[...resources.keys()].join(", ")}`);
  return resource;
}

function podOf(resources: ReadonlyMap<string, Resource>, kind = "Deployment"): Pod {
  return get(resources, kind).spec["template"] as Pod;
}

/** The setup of the command in the pod: its values from the ConfigMap, its secrets where the pod mounts them. */
function setupOf(
  resources: ReadonlyMap<string, Resource>,
  secrets: Readonly<Record<string, Readonly<Record<string, string>>>>,
) {
  const folder = temporaryFolder(atEnd);
  writeFileSync(join(folder, "values.yaml"), get(resources, "ConfigMap").data?.["values.yaml"] ?? "");
  const { containers, volumes } = podOf(resources).spec;
  const [{ args, volumeMounts }] = containers;
  for (const { name, secret } of volumes) {
    const { secretName } = (secret ?? {}) as { secretName?: string };
    const mounted = volumeMounts.find((mount) => mount.name === name)?.mountPath ?? "";
    if (secretName === undefined || secrets[secretName] === undefined) continue;
    mkdirSync(join(folder, mounted), { recursive: true });
    for (const [key, text] of Object.entries(secrets[secretName]))
      writeFileSync(join(folder, mounted, key), text);
  }
  expect(args.slice(1)).toEqual(["-f", "/etc/callsign/values.yaml", "--secrets", "/etc/callsign/secrets"]);
  const source = {
    files: [join(folder, "values.yaml")],
    sets: [],
    environment: {},
    secretsFolder: join(folder, "/etc/callsign/secrets"),
  };
  const parts = { source, files: systemHost.files };
  return args[0] === "validator" ? readValidatorSetup(parts) : readParticipantSetup(parts);
}

const SECRETS = {
  "postgres-secrets": { postgresPassword: "supersafe" },
  "splice-app-validator-ledger-api-auth": {
    "ledger-api-user": "acme@clients",
    url: "https://login.example.com/.well-known/openid-configuration",
    "client-id": "acme",
    "client-secret": "the client's secret",
    audience: "https://ledger.example.com",
  },
  "splice-app-validator-onboarding-validator": { secret: "the sponsor's secret" },
};

const PARTICIPANT = {
  nodeIdentifier: "acme-validator-1",
  migration: { id: 3 },
  auth: { jwksUrl: "https://login.example.com/jwks", targetAudience: "https://ledger.example.com" },
};

const VALIDATOR = {
  svSponsorAddress: "https://sv.sv-1.example.com",
  scanAddress: "https://scan.sv-1.example.com",
  migration: { id: 3 },
  validatorPartyHint: "acme-validator-1",
  nodeIdentifier: "acme-validator-1",
  validatorWalletUsers: ["auth0|alice"],
  participantAddress: "participant",
  auth: { audience: "https://validator.example.com", jwksUrl: "https://login.example.com/jwks" },
  topup: { enabled: false },
};

test("the participant's pod runs the command on the chart's values, with the mounted secrets", () => {
  const resources = render("callsign-participant", PARTICIPANT);
  expect([...resources.keys()].sort()).toEqual(["ConfigMap", "Deployment", "Service"]);
  expect(setupOf(resources, SECRETS)).toMatchObject({
    ok: true,
    setup: {
      config: {
        host: "0.0.0.0",
        adminUsers: ["acme@clients"],
        database: { host: "postgres", database: "participant_3", password: "supersafe" },
        auth: { kind: "jwks" },
      },
    },
  });
});

test("the validator's pod runs the command on the chart's values, with the mounted secrets", () => {
  const resources = render("callsign-validator", VALIDATOR);
  expect([...resources.keys()].sort()).toEqual(["ConfigMap", "Deployment", "Service"]);
  expect(setupOf(resources, SECRETS)).toMatchObject({
    ok: true,
    setup: {
      config: {
        migrationId: 3,
        participantUrl: "http://participant:7575",
        onboarding: { secret: "the sponsor's secret" },
        database: { database: "cantonnet_validator", password: "supersafe" },
      },
      serviceUser: { userId: "acme@clients", credentials: { kind: "client-credentials" } },
    },
  });
});

test("enableHealthProbes: probes, or none", () => {
  const probed = podOf(render("callsign-participant", PARTICIPANT)).spec.containers[0];
  expect(probed.livenessProbe).toMatchObject({
    httpGet: { path: "/livez", port: 5003 },
    initialDelaySeconds: 60,
  });
  expect(probed.readinessProbe).toMatchObject({ httpGet: { path: "/readyz", port: 5003 } });
  const values = { ...VALIDATOR, callsign: { healthPort: 5004 }, livenessProbeInitialDelaySeconds: 90 };
  expect(podOf(render("callsign-validator", values)).spec.containers[0].livenessProbe).toMatchObject({
    httpGet: { path: "/livez", port: 5004 },
    initialDelaySeconds: 90,
  });
  for (const [chart, given] of [
    ["callsign-participant", PARTICIPANT],
    ["callsign-validator", VALIDATOR],
  ] as const) {
    const resources = render(chart, { ...given, enableHealthProbes: false });
    const { livenessProbe, readinessProbe } = podOf(resources).spec.containers[0];
    expect([livenessProbe, readinessProbe]).toEqual([undefined, undefined]);
    expect(setupOf(resources, SECRETS)).toMatchObject({ ok: true });
  }
});

test("metrics.enable: a ServiceMonitor for the port of /metrics", () => {
  const metrics = { enable: true, interval: "15s", release: "observe" };
  const resources = render("callsign-validator", { ...VALIDATOR, metrics }, "validator");
  const monitor = get(resources, "ServiceMonitor");
  expect(monitor.metadata.labels).toEqual({ release: "observe" });
  expect(monitor.spec).toMatchObject({
    selector: { matchLabels: get(resources, "Service").metadata.labels },
    endpoints: [{ port: "metrics", path: "/metrics", interval: "15s" }],
  });
  const { ports } = get(resources, "Service").spec as { ports: readonly object[] };
  expect(ports).toContainEqual({ name: "metrics", port: 10_013 });
  expect(podOf(resources).spec.containers[0].ports).toContainEqual({
    name: "metrics",
    containerPort: 10_013,
  });
});

test("images, resources, scheduling, labels, variables and volumes are those of the values", () => {
  const env = [{ name: "LOG_LEVEL", value: "DEBUG" }];
  const resources = render("callsign-participant", {
    ...PARTICIPANT,
    imageRepo: "images.example.com/acme",
    imageDigests: { callsign: "sha256:abc" },
    imagePullPolicy: "Always",
    resources: { limits: { memory: "8Gi" }, requests: { cpu: "2", memory: "4Gi" } },
    pod: { labels: { team: "names" }, annotations: { note: "yes" } },
    nodeSelector: { disk: "fast" },
    tolerations: [{ key: "dedicated", operator: "Exists" }],
    affinity: { nodeAffinity: {} },
    serviceAccountName: "callsign",
    additionalEnvVars: env,
    extraVolumes: [{ name: "certificates", secret: { secretName: "certificates" } }],
    extraVolumeMounts: [{ name: "certificates", mountPath: "/etc/callsign/tls" }],
    pvc: { size: "5Gi", volumeStorageClass: "fast" },
  });
  const { metadata, spec } = podOf(resources);
  const [container] = spec.containers;
  expect(container.image).toBe("images.example.com/acme/callsign:0.2.0@sha256:abc");
  expect(container).toMatchObject({
    imagePullPolicy: "Always",
    resources: { limits: { memory: "8Gi" }, requests: { cpu: "2", memory: "4Gi" } },
    env,
  });
  expect(metadata.labels).toEqual({ app: "acme", team: "names" });
  expect(metadata.annotations).toMatchObject({ note: "yes" });
  expect(spec).toMatchObject({
    nodeSelector: { disk: "fast" },
    tolerations: [{ key: "dedicated", operator: "Exists" }],
    affinity: { nodeAffinity: {} },
    serviceAccountName: "callsign",
    securityContext: { runAsNonRoot: true, runAsUser: 1001, runAsGroup: 1001 },
  });
  const mounts = container.volumeMounts.map(({ name }) => name);
  expect(mounts).toContain("certificates");
  expect(spec.volumes.map(({ name }) => name).sort()).toEqual([...mounts].sort());
  expect(get(resources, "PersistentVolumeClaim").spec).toMatchObject({
    storageClassName: "fast",
    resources: { requests: { storage: "5Gi" } },
  });
  expect(get(resources, "Deployment").spec).toMatchObject({ replicas: 1, strategy: { type: "Recreate" } });
  expect(setupOf(resources, SECRETS)).toMatchObject({ ok: true });
});

test("other values start another pod", () => {
  const checksum = (values: object) =>
    (podOf(render("callsign-validator", values)).metadata.annotations as Record<string, string>)[
      "checksum/values"
    ];
  expect(checksum(VALIDATOR)).toMatch(/^[0-9a-f]{64}$/);
  expect(checksum(VALIDATOR)).toBe(checksum({ ...VALIDATOR }));
  expect(checksum({ ...VALIDATOR, contactPoint: "a@example.com" })).not.toBe(checksum(VALIDATOR));
});

test("db.volumeSize and db.volumeStorageClass are those of the database's volume", () => {
  const db = { volumeSize: "50Gi", volumeStorageClass: "fast", pvcTemplateName: "data", maxConnections: 90 };
  const resources = render("callsign-postgres", { db, persistence: { secretName: "other" } }, "postgres");
  expect([...resources.keys()].sort()).toEqual(["Service", "StatefulSet"]);
  const { spec } = get(resources, "StatefulSet");
  expect(spec["volumeClaimTemplates"]).toEqual([
    {
      metadata: { name: "data" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: "fast",
        resources: { requests: { storage: "50Gi" } },
      },
    },
  ]);
  const [container] = podOf(resources, "StatefulSet").spec.containers;
  expect(container.args).toEqual(["-c", "max_connections=90", "-c", "max_wal_size=2GB"]);
  expect(container.volumeMounts).toEqual([{ name: "data", mountPath: "/var/lib/postgresql/data" }]);
  expect(container.env).toContainEqual({
    name: "POSTGRES_PASSWORD",
    valueFrom: { secretKeyRef: { name: "other", key: "postgresPassword" } },
  });
});
