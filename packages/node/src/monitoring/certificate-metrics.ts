/** The ends of the certificates that a process shows, so that an alert comes before callers are refused. */
import { X509Certificate } from "node:crypto";
import type { Host } from "../host/host.ts";
import type { Listening } from "../http/listening.ts";
import { gauge } from "../observability/metric-declaration.ts";
import type { Metrics } from "../observability/metrics.ts";

const END = gauge(
  "callsign_certificate_end_seconds",
  "End of the certificate in the file of the port, in seconds since 1970.",
);

/** Ports without TLS have no certificate. A file that cannot be read has no series: `/readyz` and the log tell of it. */
export function declareCertificateMetrics(
  metrics: Metrics,
  ports: Readonly<Record<string, Pick<Listening, "tls">>>,
  files: Pick<Host["files"], "read">,
): void {
  const shown = Object.entries(ports).flatMap(([port, { tls }]) =>
    tls === undefined ? [] : [{ port, file: tls.certChainFile }],
  );
  if (shown.length === 0) return;
  metrics.declare(END, () =>
    shown.flatMap(({ port, file }) => {
      const end = findEnd(file, files);
      return end === null ? [] : [{ value: end.getTime() / 1000, labels: { port } }];
    }),
  );
}

/** Of the first certificate in the file, which is the port's own. */
function findEnd(file: string, files: Pick<Host["files"], "read">): Date | null {
  try {
    const text = files.read(file);
    return text === null ? null : new X509Certificate(text).validToDate;
  } catch {
    return null;
  }
}
