/** The network that a command asks: the local one, or one that options or variables name. */
import {
  type Client,
  createClient,
  findBaseUrlFault,
  localNetworkApi,
  scanApi,
  trimBaseUrl,
  validatorApi,
} from "@callsign/api";
import { CommandFailure, EXIT } from "../output/exit-code.ts";
import { getLocalNetwork, type RunningNetwork } from "./find-local-network.ts";
import type { CommandCall } from "./network-command.ts";

/** A call takes no longer; a registration asks again. */
const CALL_MILLISECONDS = 30_000;
const DEFAULT_USER = "app-user";

export type ValidatorClient = Client<typeof validatorApi.endpoints>;
export type ScanClient = Client<typeof scanApi.endpoints>;
export type DevelopmentClient = Client<typeof localNetworkApi.endpoints>;

export interface NetworkConnection {
  readonly local: RunningNetwork | null;
  /** Null if only a scan is named. */
  readonly validator: ValidatorClient | null;
  /** The scans that may be asked directly, with their API's prefix. */
  readonly scanUrls: readonly string[];
  /** Null for a validator that is asked for agreement. */
  readonly scan: ScanClient | null;
}

interface Named {
  readonly validator: string | undefined;
  readonly scan: string | undefined;
  readonly tokenFile: string | undefined;
}

/** Throws a `CommandFailure` if there is no network to ask. */
export async function openConnection(call: CommandCall): Promise<NetworkConnection> {
  const named = readNamed(call);
  if (named.scan !== undefined) {
    const scanUrl = readUrl("--scan", named.scan, "/api/scan");
    const validator = named.validator === undefined ? null : openNamedValidator(named, call);
    return { local: null, validator, scanUrls: [scanUrl], scan: openScan(scanUrl, call) };
  }
  if (named.validator !== undefined)
    return { local: null, validator: openNamedValidator(named, call), scanUrls: [], scan: null };
  const local = await getLocalNetwork(call);
  return {
    local,
    validator: await openLocalValidator(local, call),
    scanUrls: local.svs.map(({ scanUrl }) => `${scanUrl}/api/scan`),
    scan: null,
  };
}

export interface WalletConnection extends NetworkConnection {
  readonly validator: ValidatorClient;
}

/** For commands that act for a user. */
export async function openWallet(call: CommandCall): Promise<WalletConnection> {
  const connection = await openConnection(call);
  const { validator } = connection;
  if (validator !== null) return { ...connection, validator };
  throw new CommandFailure(
    EXIT.usage,
    "a scan has no wallets: name a validator with --validator and --token-file",
  );
}

export function openDevelopment(
  { developmentUrl }: RunningNetwork,
  { fetch, host }: CommandCall,
): DevelopmentClient {
  const limits = { timeoutMilliseconds: CALL_MILLISECONDS, timers: host.timers };
  return createClient(localNetworkApi, { baseUrl: developmentUrl, fetch, ...limits });
}

/** The wallet of a user of the local network. */
export async function openLocalValidator(local: RunningNetwork, call: CommandCall): Promise<ValidatorClient> {
  const user = String(call.own["as"] ?? DEFAULT_USER);
  const node = local.nodes.find((each) => each.user === user);
  if (node !== undefined) return openValidator(`${node.validatorUrl}/api/validator`, node.token, call);
  const home = local.nodes.find((each) => each.user === DEFAULT_USER);
  const { makeToken } = await import("@callsign/localnet");
  return openValidator(`${home?.validatorUrl}/api/validator`, await makeToken(user), call);
}

/** The network's time; the machine's if the network does not tell it. */
export async function readNetworkTime(local: RunningNetwork | null, call: CommandCall): Promise<Date> {
  if (local === null) return new Date(call.host.clock.wallMilliseconds());
  return new Date((await openDevelopment(local, call).getClock()).time);
}

function readNamed({ own, environment }: CommandCall): Named {
  // Options that choose a network stand above every variable.
  const hasOption = ["validator", "scan", "token-file", "data", "as"].some((name) => own[name] !== undefined);
  const read = (option: string, variable: string) => {
    const text = own[option] ?? (hasOption && option !== "token-file" ? undefined : environment[variable]);
    return text === undefined || text === "" ? undefined : String(text);
  };
  return {
    validator: read("validator", "CALLSIGN_VALIDATOR"),
    scan: read("scan", "CALLSIGN_SCAN"),
    tokenFile: read("token-file", "CALLSIGN_TOKEN_FILE"),
  };
}

function openNamedValidator({ validator = "", tokenFile }: Named, call: CommandCall): ValidatorClient {
  if (tokenFile === undefined)
    throw new CommandFailure(
      EXIT.usage,
      `the validator ${validator} needs a token: name its file with --token-file`,
    );
  const token = call.host.files.read(tokenFile)?.trim();
  if (token === undefined)
    throw new CommandFailure(EXIT.notFound, `the token file ${tokenFile} does not exist`);
  if (!/^[\w.~+/=-]+$/.test(token))
    throw new CommandFailure(
      EXIT.usage,
      `the token file ${tokenFile} holds no token: it has one line, such as eyJ…`,
    );
  return openValidator(readUrl("--validator", validator, "/api/validator"), token, call);
}

function openValidator(baseUrl: string, token: string, { fetch, host }: CommandCall): ValidatorClient {
  const limits = { timeoutMilliseconds: CALL_MILLISECONDS, timers: host.timers };
  return createClient(validatorApi, { baseUrl, fetch, token: () => token, ...limits });
}

function openScan(baseUrl: string, { fetch, host }: CommandCall): ScanClient {
  const limits = { timeoutMilliseconds: CALL_MILLISECONDS, timers: host.timers };
  return createClient(scanApi, { baseUrl, fetch, ...limits });
}

/** With the API's prefix, which may be left out. */
function readUrl(option: string, given: string, prefix: string): string {
  const fault = findBaseUrlFault(given);
  if (fault !== null) throw new CommandFailure(EXIT.usage, `${option}: ${fault}`);
  const base = trimBaseUrl(given);
  return base.endsWith(prefix) ? base : base + prefix;
}
