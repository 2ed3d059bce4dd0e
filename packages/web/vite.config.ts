import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/**
 * For development alone: `CALLSIGN_WEB_NETWORK=<file> npx vite packages/web`, where the file has the JSON line that
 * `npm start -- --json` prints. Calls go to that network. `CALLSIGN_WEB_NODE=app-provider` names the node whose user is logged in
 * without a provider (app-user); `CALLSIGN_WEB_NODE=none` logs nobody in.
 */
interface NetworkAddresses {
  readonly nodes: readonly {
    readonly name: string;
    readonly user: string;
    readonly validatorUrl: string;
    readonly ledgerUrl: string;
    readonly token: string;
  }[];
  readonly svs: readonly { readonly scanUrl: string; readonly appUrl: string }[];
  readonly developmentUrl: string;
}

const networkFile = process.env["CALLSIGN_WEB_NETWORK"];
const network = networkFile === undefined ? null : await readNetwork(networkFile);

async function readNetwork(path: string): Promise<NetworkAddresses> {
  const { readFile } = await import("node:fs/promises");
  return JSON.parse(await readFile(path, "utf8")) as NetworkAddresses;
}

const config = {
  home: "names",
  names: {
    network: "Canton Network",
    coin: "Canton Coin",
    coinAcronym: "CC",
    nameService: "Canton Name Service",
    nameServiceAcronym: "CNS",
  },
  services: {
    validator: "/api/validator",
    scan: "/api/scan",
    sv: "/api/sv",
    ledger: "/api/ledger",
    localNetwork: "/api/local-network",
  },
  returnOrigins: [],
  login: { authority: "http://127.0.0.1:9", clientId: "web", audience: null, scope: "openid" },
};

function answerConfig(): Plugin {
  return {
    name: "callsign-config",
    apply: "serve",
    configureServer(server) {
      server.middlewares.use("/config.json", (_, response) => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(config));
      });
      server.middlewares.use("/development-login.json", (_, response) => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(wantedNode === "none" ? null : { user: node?.user, token: node?.token }));
      });
    },
  };
}

const wantedNode = process.env["CALLSIGN_WEB_NODE"] ?? "app-user";
const node = network?.nodes.find(({ name }) => name === wantedNode) ?? network?.nodes[0];
const [sv] = network?.svs ?? [];
const withoutPrefix = (prefix: string) => (path: string) => path.slice(prefix.length);

export default defineConfig({
  plugins: [react(), answerConfig()],
  build: { target: "es2023", sourcemap: false, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: {
    host: "127.0.0.1",
    proxy:
      network === null
        ? {}
        : {
            "/api/validator": { target: node?.validatorUrl ?? "" },
            "/api/scan": { target: sv?.scanUrl ?? "" },
            "/api/sv": { target: sv?.appUrl ?? "" },
            "/api/ledger": { target: node?.ledgerUrl ?? "", rewrite: withoutPrefix("/api/ledger") },
            "/api/local-network": {
              target: network.developmentUrl,
              rewrite: withoutPrefix("/api/local-network"),
            },
          },
  },
});
