/** A running local network for people, in short. */
import { formatTable } from "@callsign/node";
import type { RunningNetwork } from "../networks/find-local-network.ts";
import type { Paint } from "../output/answer-printer.ts";

export function describeRunning(network: RunningNetwork, paint: Paint): string {
  const { nodes, svs, developmentUrl, pid, dataFolder } = network;
  const [head = "", ...lines] = formatTable([
    ["", "validator", "JSON Ledger API", "gateway"],
    ...nodes.map(({ name, validatorUrl, ledgerUrl, gatewayUrl }) => [
      name,
      validatorUrl,
      ledgerUrl,
      gatewayUrl,
    ]),
  ]).split("\n");
  const rows = [
    ["scans", svs.map(({ scanUrl }) => scanUrl).join(" ")],
    ["health, clock, misbehaving scans", developmentUrl],
    ...(dataFolder === null
      ? []
      : [
          ["data folder", dataFolder],
          ["log file", `${dataFolder}.log`],
        ]),
  ];
  return (
    `The local network is ${paint("green", "up")}${pid === null ? "" : `, as process ${pid}`}.\n\n` +
    `${[paint("bold", head), ...lines].join("\n")}\n\n${formatTable(rows)}\n\n` +
    `Open http://localhost:${new URL(nodes[0]?.gatewayUrl ?? "").port} in a browser: names, wallet, network. A click logs in.\n` +
    "Try: callsign tap 100, callsign register alice, callsign clock forward 60d, callsign misbehave 3 lie, callsign resolve alice\n" +
    "Tokens: callsign credentials. Its end: callsign down, which keeps its data.\n"
  );
}
