/**
 * TLS to a PostgreSQL server, with the meaning that libpq gives to each mode:
 *
 *     disable       without TLS
 *     allow         without TLS; with it where the server insists
 *     prefer        with TLS; without it where the server has none or refuses
 *     require       with TLS, and any certificate
 *     verify-ca     with TLS, and a certificate of an authority in the root file
 *     verify-full   the same, and the certificate names the host
 *
 * A root file makes every mode with TLS check the certificate's authority. Files are read for each connection, so that
 * renewed ones are used.
 */
import { type ConnectionOptions, checkServerIdentity } from "node:tls";
import { readTlsClient, type TlsMachine } from "../tls/read-tls.ts";
import { type TlsFileKey, TlsFilesRejected } from "../tls/tls-files-rejected.ts";
import type { PostgresConfig, PostgresSsl } from "./postgres-config.ts";
import { DatabaseRefused } from "./store-errors.ts";

/** The connections to try, in order: false is one without TLS. */
export function listTlsAttempts(
  { host, ssl = { mode: "disable" } }: Pick<PostgresConfig, "host" | "ssl">,
  machine: TlsMachine,
): readonly (ConnectionOptions | false)[] {
  // A socket in the file system has no TLS.
  if (host.startsWith("/")) return [false];
  const tls = () => readTlsOptions(host, ssl, machine);
  switch (ssl.mode) {
    case "disable":
      return [false];
    case "allow":
      return [false, tls()];
    case "prefer":
      return [tls(), false];
    case "require":
    case "verify-ca":
    case "verify-full":
      return [tls()];
  }
}

function readTlsOptions(host: string, ssl: PostgresSsl, machine: TlsMachine): ConnectionOptions {
  const { mode, rootCertFile, certFile, keyFile } = ssl;
  if ((mode === "verify-ca" || mode === "verify-full") && rootCertFile === undefined) {
    throw new DatabaseRefused(
      `the database's sslmode ${mode} needs sslrootcert: a PEM file with the authority of its server`,
    );
  }
  if ((certFile === undefined) !== (keyFile === undefined)) {
    const [given, missing] = certFile === undefined ? ["sslkey", "sslcert"] : ["sslcert", "sslkey"];
    throw new DatabaseRefused(`the database's ${given} is given without ${missing}: give both or none`);
  }
  const certificate =
    certFile === undefined || keyFile === undefined
      ? {}
      : { certificate: { certChainFile: certFile, privateKeyFile: keyFile } };
  const trust = rootCertFile === undefined ? {} : { trustCollectionFile: rootCertFile };
  return {
    ...readFiles(() => readTlsClient({ ...trust, ...certificate }, machine)),
    rejectUnauthorized: rootCertFile !== undefined,
    checkServerIdentity: (_, shown) =>
      mode === "verify-full" ? checkServerIdentity(host, shown) : undefined,
  };
}

const KEYS: Readonly<Partial<Record<TlsFileKey, string>>> = {
  "trust-collection-file": "sslrootcert",
  "cert-chain-file": "sslcert",
  "private-key-file": "sslkey",
};

/** Findings name the keys of the database's configuration. */
function readFiles<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TlsFilesRejected)) throw error;
    const lines = error.findings.map(({ key, file, reason }) => `${KEYS[key] ?? key} ${file} ${reason}`);
    throw new DatabaseRefused(`the database's ${lines.join("; ")}`, { cause: error });
  }
}
