/**
 * TLS of outgoing calls. Without a file of authorities, those of this machine and those that Node brings along are
 * trusted. Files are looked at again while calls are made: renewed ones are used without a restart, and ones that cannot
 * be used leave the last good ones in use.
 */
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import { type ClientCertificates, readTlsClient, type TlsMachine } from "../tls/read-tls.ts";
import { RenewableFiles, TLS_CHECK_MILLISECONDS } from "../tls/renewable-files.ts";
import type { TlsClientConfig } from "../tls/tls-config.ts";

/** The parts of a `Host` that renewing needs. */
export interface TlsClock extends TlsMachine {
  readonly clock: TlsMachine["clock"] & { readonly elapsedMilliseconds: () => number };
}

export class ClientTls {
  readonly config: TlsClientConfig;
  readonly #machine: TlsClock;
  readonly #files: RenewableFiles<ClientCertificates>;
  #checkedAt: number;
  #context: SecureContext | undefined;

  constructor(config: TlsClientConfig, machine: TlsClock) {
    this.config = config;
    this.#machine = machine;
    this.#files = new RenewableFiles(() => readTlsClient(config, machine));
    this.#checkedAt = machine.clock.elapsedMilliseconds();
  }

  /** The reason why renewed files are not in use; null if all are. */
  get problem(): string | null {
    return this.#files.problem;
  }

  /** The context of new connections. It changes after the files were renewed. */
  context(): SecureContext {
    const now = this.#machine.clock.elapsedMilliseconds();
    if (now - this.#checkedAt >= TLS_CHECK_MILLISECONDS) {
      this.#checkedAt = now;
      if (this.#files.check().kind === "renewed") this.#context = undefined;
    }
    this.#context ??= createContext(this.#files.current);
    return this.#context;
  }
}

let machines: SecureContext | undefined;

function createContext(certificates: ClientCertificates): SecureContext {
  const { ca, cert } = certificates;
  if (ca !== undefined) return createSecureContext(certificates);
  if (cert !== undefined) return createSecureContext({ ...certificates, ca: machineAuthorities() });
  // Reading hundreds of authorities takes long: once for the process.
  machines ??= createSecureContext({ ca: machineAuthorities() });
  return machines;
}

function machineAuthorities(): string[] {
  return [...new Set([...getCACertificates("default"), ...getCACertificates("system")])];
}
