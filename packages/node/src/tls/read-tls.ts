/**
 * Reads and checks the files of a TLS configuration. All findings come together, as a `TlsFilesRejected`: each names its
 * file and says why it cannot be used.
 */
import type { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { type Checked, findDateFault, parseCertificates, parsePrivateKey } from "./check-pem.ts";
import type { CertificateFiles, TlsClientConfig, TlsServerConfig } from "./tls-config.ts";
import { type TlsFileKey, TlsFilesRejected, type TlsFinding } from "./tls-files-rejected.ts";

/** The parts of a `Host` that reading needs. */
export interface TlsMachine {
  readonly files: { readonly read: (path: string) => string | null };
  readonly clock: { readonly wallMilliseconds: () => number };
}

/** PEM texts, under the names that `node:tls` has for them. */
export interface ServerCertificates {
  readonly cert: string;
  readonly key: string;
  /** The authorities of client certificates. */
  readonly ca?: string;
}

export interface ClientCertificates {
  /** The authorities of servers; the machine's own if omitted. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export function readTlsServer(config: TlsServerConfig, machine: TlsMachine): ServerCertificates {
  const reader = new TlsReader(machine);
  const pair = reader.readPair(config);
  const ca = reader.readTrust(config.trustCollectionFile);
  const { clientAuth } = config;
  if (clientAuth?.type === "require") {
    if (config.trustCollectionFile === undefined)
      reader.find("trust-collection-file", null, "is needed with client-auth.type require");
    if (clientAuth.adminClient !== undefined)
      reader.readPair(clientAuth.adminClient, "client-auth.admin-client.");
  }
  reader.finish();
  return { ...pair, ...ca };
}

export function readTlsClient(config: TlsClientConfig, machine: TlsMachine): ClientCertificates {
  const reader = new TlsReader(machine);
  const ca = reader.readTrust(config.trustCollectionFile);
  const pair = config.certificate === undefined ? {} : reader.readPair(config.certificate);
  reader.finish();
  return { ...ca, ...pair };
}

class TlsReader {
  readonly #machine: TlsMachine;
  readonly #findings: TlsFinding[] = [];

  constructor(machine: TlsMachine) {
    this.#machine = machine;
  }

  find(key: TlsFileKey, file: string | null, reason: string): void {
    this.#findings.push({ key, file, reason });
  }

  /** Throws if there is a finding. */
  finish(): void {
    if (this.#findings.length > 0) throw new TlsFilesRejected(this.#findings);
  }

  readPair(
    { certChainFile, privateKeyFile }: CertificateFiles,
    prefix: "" | "client-auth.admin-client." = "",
  ): { readonly cert: string; readonly key: string } {
    const chainKey: TlsFileKey = `${prefix}cert-chain-file`;
    const keyKey: TlsFileKey = `${prefix}private-key-file`;
    const chain = this.#read(chainKey, certChainFile, parseCertificates);
    const privateKey = this.#read(keyKey, privateKeyFile, parsePrivateKey);
    const pair = { cert: chain?.text ?? "", key: privateKey?.text ?? "" };
    for (const certificate of chain?.value ?? []) {
      const fault = findDateFault(certificate, this.#machine.clock.wallMilliseconds());
      if (fault !== null) this.find(chainKey, certChainFile, fault);
    }
    if (chain === null || privateKey === null) return pair;
    const fitting = chain.value.findIndex((certificate) => certificate.checkPrivateKey(privateKey.value));
    if (fitting === 0) this.#tryOut(chainKey, certChainFile, pair);
    else if (fitting > 0)
      this.find(chainKey, certChainFile, `has certificate ${fitting + 1} for the key: put that one first`);
    else {
      const subject = chain.value[0].subject.replaceAll("\n", ", ");
      const reason = `does not fit the certificate of ${subject} in ${certChainFile}: renew both together`;
      this.find(keyKey, privateKeyFile, reason);
    }
    return pair;
  }

  /** A collection may keep certificates that have expired, as long as one is valid. */
  readTrust(file: string | undefined): { readonly ca?: string } {
    if (file === undefined) return {};
    const read = this.#read("trust-collection-file", file, parseCertificates);
    if (read === null) return {};
    const now = this.#machine.clock.wallMilliseconds();
    const faults = read.value.map((certificate: X509Certificate) => findDateFault(certificate, now));
    const [first] = faults;
    if (faults.every((fault) => fault !== null) && typeof first === "string")
      this.find("trust-collection-file", file, first);
    return { ca: read.text };
  }

  /** OpenSSL refuses weak keys and signatures. */
  #tryOut(key: TlsFileKey, file: string, pair: { readonly cert: string; readonly key: string }): void {
    try {
      createSecureContext(pair);
    } catch (error) {
      this.find(key, file, `is not accepted by OpenSSL: ${error instanceof Error ? error.message : error}`);
    }
  }

  #read<T>(
    key: TlsFileKey,
    file: string,
    parse: (text: string) => Checked<T>,
  ): { readonly text: string; readonly value: T } | null {
    const text = this.#readText(key, file);
    if (text === null) return null;
    const parsed = parse(text);
    if (parsed.ok) return { text, value: parsed.value };
    this.find(key, file, parsed.fault.replaceAll("FILE", file));
    return null;
  }

  #readText(key: TlsFileKey, file: string): string | null {
    try {
      const text = this.#machine.files.read(file);
      if (text === null) this.find(key, file, "does not exist");
      return text;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
      const why =
        code === "EACCES"
          ? "this user may not read it (EACCES)"
          : code === "EISDIR"
            ? "it is a folder"
            : code;
      this.find(key, file, `cannot be read: ${why}`);
      return null;
    }
  }
}
