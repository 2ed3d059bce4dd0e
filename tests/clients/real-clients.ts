/** The Canton Network's own clients, as they come from the registry, pointed at a local network. */
import dns from "node:dns";
import { LedgerClient } from "@canton-network/core-ledger-client";
import { ScanClient, ScanProxyClient, ValidatorInternalClient } from "@canton-network/core-splice-client";
import { AuthTokenProvider } from "@canton-network/core-wallet-auth";
import { pino } from "pino";
import type { NodeName } from "../../packages/localnet/src/ports.ts";
import type { LocalNetwork } from "../support/local-network.ts";

const logger = pino({ level: "silent" });

/** Wallets for LocalNet have this built in: they sign their own tokens, with the secret that everybody knows. */
export function tokensOf(clientId: string, clientSecret = "unsafe"): AuthTokenProvider {
  return new AuthTokenProvider(credentialsOf(clientId, clientSecret), logger);
}

export function credentialsOf(clientId: string, clientSecret = "unsafe") {
  const audience = "https://canton.network.global";
  return {
    method: "self_signed" as const,
    issuer: "unsafe-auth",
    credentials: { clientId, clientSecret, audience, scope: "" },
  };
}

export function ledgerClient(
  baseUrl: string,
  accessTokenProvider = tokensOf("ledger-api-user"),
): LedgerClient {
  return new LedgerClient({ baseUrl: new URL(baseUrl), logger, accessTokenProvider });
}

export function scanClient(baseUrl: string): ScanClient {
  return new ScanClient(new URL(baseUrl), logger, tokensOf("nobody-in-particular"));
}

export function scanProxyClient(baseUrl: string, user: string): ScanProxyClient {
  return new ScanProxyClient(new URL(baseUrl), logger, tokensOf(user));
}

export function validatorClient(baseUrl: string, user: string): ValidatorInternalClient {
  return new ValidatorInternalClient(new URL(baseUrl), logger, tokensOf(user));
}

/** An address behind a gateway, by one of LocalNet's host names. */
export function behindGateway(world: LocalNetwork, node: NodeName, host: string, path = ""): string {
  return `http://${host}:${new URL(world.net.nodes[node].gatewayUrl).port}${path}`;
}

/**
 * Names under `localhost` are this machine, says RFC 6761. Resolvers of some machines do not know it: for them the
 * process learns it here, until the answer is called.
 */
export function resolveLocalhostNames(): () => void {
  const { lookup } = dns;
  const known = (name: string) => (name.endsWith(".localhost") ? "localhost" : name);
  const patched = ((name: string, ...rest: unknown[]) =>
    (lookup as (...given: unknown[]) => void)(known(name), ...rest)) as typeof lookup;
  dns.lookup = patched;
  return () => {
    dns.lookup = lookup;
  };
}
