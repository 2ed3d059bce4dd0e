/** The text that `npm start` prints: addresses, users and first commands. */
import { formatTable } from "@callsign/node";
import { numberOf } from "./data-folder.ts";
import { NODE_NAMES } from "./ports.ts";
import type { Localnet } from "./start-localnet.ts";
import { SERVICE_USER } from "./tokens.ts";

/** The places on disk: `npm start` chooses them. */
export interface NetworkFiles {
  readonly dataFolder: string;
  readonly logFile: string;
}

/** Under the address of each API. */
const DOCS_PATH = "/docs";

export function formatSummary(network: Localnet, files: NetworkFiles, seconds: number): string {
  const nodes = NODE_NAMES.map((name) => network.nodes[name]);
  const addresses = nodes.map((node) => [node.name, node.validatorUrl, node.ledgerUrl, node.gatewayUrl]);
  const svs = network.svs.map((sv) => [
    `SV ${numberOf(sv.identity.nodeIdentifier)}`,
    sv.scanUrl,
    sv.sequencerUrl,
    sv.appUrl,
  ]);
  const users = [
    ...nodes.map(({ walletUser, token }) => [walletUser, token]),
    [SERVICE_USER, network.serviceToken],
  ];
  return [
    `The local network is up, after ${seconds.toFixed(1)} s. Press Ctrl-C to stop it; its data is kept.`,
    `Open ${pageUrl(nodes[0])} in a browser: names, wallet, network. Log in with a click, as one of its users.`,
    "",
    formatTable([["", "validator", "JSON Ledger API", "gateway"], ...addresses]),
    "",
    formatTable([["", "scan", "sequencer", "SV app"], ...svs]),
    "",
    formatTable([
      ["health, clock, misbehaving scans", network.developmentUrl],
      ["login of the web application", network.loginUrl],
      ["metrics", network.metricsUrl],
      ["documents of each API", `at ${DOCS_PATH}, such as ${nodes[0]?.validatorUrl}${DOCS_PATH}`],
      ["data folder", files.dataFolder],
      ["log file", files.logFile],
    ]),
    "",
    formatTable([["user", "token"], ...users]),
    "",
    "Try:",
    ...tryOut(network).map((command) => `  ${command}`),
  ].join("\n");
}

/** Under the name by which people know the machine. */
function pageUrl(node: { readonly gatewayUrl: string } | undefined): string {
  return `http://localhost:${new URL(node?.gatewayUrl ?? "").port}`;
}

export type NetworkDescription = ReturnType<typeof describeNetwork>;

/** The line that `npm start -- --json` prints. */
export function describeNetwork(network: Localnet, files: NetworkFiles) {
  const { nodes, svs, developmentUrl, loginUrl, metricsUrl, serviceToken, acronym, notices } = network;
  return {
    nodes: NODE_NAMES.map((name) => {
      const { walletUser, token, validatorUrl, ledgerUrl, gatewayUrl } = nodes[name];
      return { name, user: walletUser, token, validatorUrl, ledgerUrl, gatewayUrl };
    }),
    svs: svs.map(({ scanUrl, sequencerUrl, appUrl }) => ({ scanUrl, sequencerUrl, appUrl })),
    ...{
      developmentUrl,
      loginUrl,
      metricsUrl,
      serviceToken,
      acronym,
      notices,
      docsPath: DOCS_PATH,
      ...files,
    },
  };
}

/** Commands that tap coin, buy a name and look it up. */
function tryOut(network: Localnet): readonly string[] {
  const { validatorUrl, token } = network.nodes["app-user"];
  const validator = `${validatorUrl}/api/validator/v0`;
  const auth = '-H "authorization: Bearer $TOKEN"';
  const post = (path: string, body: string) =>
    `curl -s ${validator}${path} ${auth} -H 'content-type: application/json' -d '${body}'`;
  const create = post("/entry/create", '{"name":"alice","url":"","description":""}');
  const accept = `${validator}/wallet/subscription-requests/$(echo "$ASKED" | cut -d'"' -f8)/accept`;
  const scan = `${network.svs[0]?.scanUrl}/api/scan/v0`;
  return [
    `TOKEN=${token}`,
    `${post("/wallet/tap", '{"amount":"100.0"}')}; echo`,
    `ASKED=$(${create}); echo "$ASKED"; curl -s -X POST ${accept} ${auth}; echo`,
    `sleep 1; curl -s ${scan}/ans-entries/by-name/alice.unverified.${network.acronym}; echo`,
  ];
}
