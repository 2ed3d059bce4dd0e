/** What tests, demos and other packages may use of the local network, by name. */
export { FREE_PORTS, NODE_NAMES, type NodeName, type Ports, STANDARD_PORTS } from "./ports.ts";
export { type Localnet, type LocalnetNode, type LocalnetOptions, startLocalnet } from "./start-localnet.ts";
export { makeToken, SERVICE_USER, TOKEN_AUDIENCE, TOKEN_SECRET } from "./tokens.ts";
