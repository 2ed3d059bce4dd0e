import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { declareCertificateMetrics } from "../../packages/node/src/monitoring/certificate-metrics.ts";
import { startMetricsServer } from "../../packages/node/src/monitoring/metrics-server.ts";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { Metrics } from "../../packages/node/src/observability/metrics.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { CertificateAuthority, writeCertificate } from "../support/certificates.ts";

const atEnd = atEndOfFile();

test("a port's certificate shows its end, and its renewal; ports without one, or with a broken file, show none", async () => {
  const folder = temporaryFolder(atEnd);
  const authority = await CertificateAuthority.create();
  const renew = async (end: string) =>
    writeCertificate(folder, await authority.issue("node", { notAfter: new Date(end) }));
  await renew("2030-01-02T03:04:05Z");
  writeFileSync(join(folder, "broken.crt"), "no certificate");
  const tls = (name: string) => ({
    tls: { certChainFile: join(folder, name), privateKeyFile: join(folder, "tls.key") },
  });
  const ports = { api: tls("tls.crt"), admin: tls("broken.crt"), health: {}, metrics: tls("missing.crt") };
  const metrics = new Metrics();
  declareCertificateMetrics(metrics, ports, systemHost.files);
  const parts = { system: systemHost, log: silentLog };
  const server = await startMetricsServer({ host: "127.0.0.1", port: 0 }, metrics, parts);
  atEnd(() => server.close());
  const read = async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return text.split("\n").filter((line) => line.startsWith("callsign_certificate_end_seconds{"));
  };
  expect(await read()).toEqual([`callsign_certificate_end_seconds{port="api"} 1893553445`]);
  await renew("2031-01-02T03:04:05Z");
  expect(await read()).toEqual([`callsign_certificate_end_seconds{port="api"} 1925089445`]);
});
