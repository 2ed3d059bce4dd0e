/** `status` without a configuration, `env`, `credentials` and `parties`: what there is to know of the local network. */
import { findSpliceMessage, HttpError } from "@callsign/api";
import { formatTable, quoteForShell } from "@callsign/node";
import { openDevelopment } from "../networks/connection.ts";
import {
  dataFolderOf,
  findLocalNetwork,
  getLocalNetwork,
  type RunningNetwork,
} from "../networks/find-local-network.ts";
import type { CommandCall } from "../networks/network-command.ts";
import { EXIT } from "../output/exit-code.ts";
import { describeRunning } from "./describe-running.ts";
import { listParties } from "./list-parties.ts";

export async function showNetworkStatus(call: CommandCall): Promise<number> {
  const { printer } = call;
  const network = await findLocalNetwork(call);
  if (network === null) {
    const dataFolder = dataFolderOf(call);
    printer.print({ running: false, ready: false, dataFolder }, (paint) => {
      const state = `No local network runs on the data folder ${dataFolder}: it is ${paint("yellow", "down")}.`;
      return `${state} Start one: callsign up\n`;
    });
    return EXIT.unreachable;
  }
  const development = openDevelopment(network, call);
  const missing = await development.isReady().then(
    () => null,
    (error: unknown) =>
      error instanceof HttpError ? (findSpliceMessage(error) ?? error.message) : Promise.reject(error),
  );
  const { time } = await development.getClock();
  const { pid, dataFolder, developmentUrl } = network;
  printer.print(
    { running: true, ready: missing === null, missing, time, pid, dataFolder, developmentUrl },
    (paint) => {
      const state = missing === null ? paint("green", "ready") : `${paint("red", "not ready")}: ${missing}`;
      return `${describeRunning(network, paint)}\nIt is ${state}. Its clock stands at ${time}.\n`;
    },
  );
  return missing === null ? EXIT.done : EXIT.failed;
}

export async function showEnvironment(call: CommandCall): Promise<number> {
  const network = await getLocalNetwork(call);
  const variables = variablesOf(network, await listParties(network, call));
  if (call.own["shell"] === true) {
    const lines = Object.entries(variables).map(
      ([name, value]) => `export ${name}=${quoteForShell(value)}\n`,
    );
    call.terminal.write(lines.join(""));
    return EXIT.done;
  }
  const rows = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  call.printer.print(variables, () => rows.join(""));
  return EXIT.done;
}

function variablesOf(
  network: RunningNetwork,
  parties: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const upper = (text: string) => text.toUpperCase().replaceAll("-", "_");
  return {
    ...Object.fromEntries(
      network.nodes.flatMap(({ name, user, token, validatorUrl, ledgerUrl }) => [
        [`CALLSIGN_${upper(name)}_VALIDATOR_URL`, `${validatorUrl}/api/validator`],
        [`CALLSIGN_${upper(name)}_LEDGER_URL`, ledgerUrl],
        [`CALLSIGN_${upper(name)}_TOKEN`, token],
        [`CALLSIGN_${upper(name)}_PARTY`, parties[user] ?? ""],
      ]),
    ),
    CALLSIGN_ADMIN_TOKEN: network.serviceToken,
    CALLSIGN_DSO_PARTY: parties["dso"] ?? "",
    ...Object.fromEntries(
      network.svs.flatMap(({ scanUrl, appUrl }, i) => [
        [`CALLSIGN_SCAN_${i + 1}_URL`, `${scanUrl}/api/scan`],
        [`CALLSIGN_SV_${i + 1}_URL`, `${appUrl}/api/sv`],
      ]),
    ),
    CALLSIGN_DEVELOPMENT_URL: network.developmentUrl,
  };
}

export async function showCredentials(call: CommandCall): Promise<number> {
  const network = await getLocalNetwork(call);
  const { SERVICE_USER, TOKEN_AUDIENCE, TOKEN_SECRET, ONBOARDING_SECRETS } = await import(
    "@callsign/localnet"
  );
  const users = [
    ...network.nodes.map(({ name, user, token }) => ({ user, node: name, token })),
    { user: SERVICE_USER, node: "each", token: network.serviceToken },
  ];
  const secrets = {
    token_secret: TOKEN_SECRET,
    token_audience: TOKEN_AUDIENCE,
    onboarding_secrets: ONBOARDING_SECRETS,
  };
  call.printer.print({ users, ...secrets }, (paint) => {
    const [head = "", ...lines] = formatTable([
      ["user", "node", "token"],
      ...users.map(({ user, node, token }) => [user, node, token]),
    ]).split("\n");
    const rows = [
      ["tokens are signed with the secret", TOKEN_SECRET],
      ["and are for the audience", TOKEN_AUDIENCE],
      ...Object.entries(ONBOARDING_SECRETS).map(([node, secret]) => [`onboarding secret of ${node}`, secret]),
    ];
    return `${[paint("bold", head), ...lines].join("\n")}\n\n${formatTable(rows)}\n`;
  });
  return EXIT.done;
}

export async function showParties(call: CommandCall): Promise<number> {
  const parties = await listParties(await getLocalNetwork(call), call);
  call.printer.print({ parties }, (paint) => {
    const [head = "", ...lines] = formatTable([["user", "party"], ...Object.entries(parties)]).split("\n");
    return `${[paint("bold", head), ...lines].join("\n")}\n`;
  });
  return EXIT.done;
}
