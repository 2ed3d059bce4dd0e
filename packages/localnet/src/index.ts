/** The public interface of @callsign/localnet. */

export type { LocalnetOptions } from "./localnet-options.ts";
export { FREE_PORTS, NODE_NAMES, type NodeName, type Ports, STANDARD_PORTS } from "./ports.ts";
export { runLocalnet } from "./run-localnet.ts";
export { SnapshotRefused } from "./snapshot-refused.ts";
export { type Localnet, startLocalnet } from "./start-localnet.ts";
export type { LocalnetNode } from "./start-node.ts";
export { makeToken, ONBOARDING_SECRETS, SERVICE_USER, TOKEN_AUDIENCE, TOKEN_SECRET } from "./tokens.ts";
