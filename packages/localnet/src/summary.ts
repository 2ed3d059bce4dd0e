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

export interface SummaryParts {
  readonly files: NetworkFiles;
  readonly seconds: number;
  /** Lines for a shell, without which it does not find `callsign`, or `callsign` not the network. */
  readonly settings: readonly string[];
}

/** The lines that people need first stand last: the tables above may have left the screen. */
export function formatSummary(network: Localnet, { files, seconds, settings }: SummaryParts): string {
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
    `The local network is up, after ${seconds.toFixed(1)} s. Press Ctrl-C to stop it; its data is kept.`,
    "",
    "In a browser: names, wallet, network. A click logs in as one of its users.",
    `  ${pageUrl(nodes[0])}`,
    "In another terminal, in this folder:",
    ...[...settings, ...FIRST_COMMANDS].map((command) => `  ${command}`),
  ].join("\n");
}

/** In an order that shows the life of a name. */
const FIRST_COMMANDS = [
  "callsign tap 100                # free coin for 100 dollars",
  "callsign register alice",
  "callsign clock forward 60d      # the name is renewed on the way",
  "callsign history alice",
  "callsign misbehave 3 lie        # and resolve still tells the truth, as the other scans agree",
  "callsign resolve alice",
  "callsign help                   # all commands",
];

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
