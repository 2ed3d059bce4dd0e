/** The pages that may log people in: a public client for each UI of each node, which leads back to that UI alone. */
import type { WebLogin } from "@callsign/api";
import { NODE_NAMES, type NodeName } from "../ports.ts";
import { TOKEN_AUDIENCE } from "../tokens.ts";

/** Host name → the UI that it opens. */
const UIS: Readonly<Record<string, string>> = {
  "wallet.localhost": "wallet-ui",
  "ans.localhost": "ans-ui",
  "scan.localhost": "scan-ui",
  "sv.localhost": "sv-ui",
  localhost: "web-ui",
  "127.0.0.1": "loopback-ui",
};

export interface LoginClient {
  readonly id: string;
  readonly node: NodeName;
  readonly redirectAddress: string;
}

export function listLoginClients(gatewayPorts: Readonly<Record<NodeName, number>>): readonly LoginClient[] {
  return NODE_NAMES.flatMap((node) =>
    Object.entries(UIS).map(([host, ui]) => ({
      id: clientIdOf(node, ui),
      node,
      redirectAddress: `http://${host}:${gatewayPorts[node]}/`,
    })),
  );
}

/** How a page of this host name logs in; null for names that no client leads back to. */
export function describeLogin(authority: string, node: NodeName, hostName: string): WebLogin | null {
  const ui = UIS[hostName];
  if (ui === undefined) return null;
  return {
    authority,
    clientId: clientIdOf(node, ui),
    audience: TOKEN_AUDIENCE,
    scope: "openid offline_access",
  };
}

function clientIdOf(node: NodeName, ui: string): string {
  return `${node}-${ui}`;
}
