/**
 * A validator: its users' names and wallets, and a proxy for reads that several scans agree on. It listens at once, and
 * serves wallets when its party, its users and their wallets are there; it waits for any missing part of the network.
 */
import { type StorePosition, validatorApi, validatorApiWithoutWallet } from "@callsign/api";
import {
  type AutomationStatus,
  checkedRarely,
  checkPaused,
  createTokenVerifier,
  type Host,
  type HttpServer,
  health,
  listeningOf,
  type Metrics,
  mountApi,
  type RebuiltFile,
  startHttpServer,
  systemHost,
  waitAtMost,
} from "@callsign/node";
import {
  VALIDATOR_AUTOMATION_NAMES,
  type ValidatorAutomationName,
} from "./automation/validator-automation.ts";
import { checkStore } from "./check-store.ts";
import { type Connections, openConnections } from "./connections.ts";
import {
  CALLS_CLOSE_MILLISECONDS,
  CATCH_UP_MILLISECONDS,
  MAX_IDLE_ROUNDS,
  TAP_DEDUPLICATION_SECONDS,
} from "./limits/limits.ts";
import { adminHandlers } from "./routes/admin-handlers.ts";
import { callerRules } from "./routes/caller.ts";
import { walletHandlers } from "./routes/handlers.ts";
import { operatorHandlers } from "./routes/operator-handlers.ts";
import { proxyHandlers } from "./routes/proxy-handlers.ts";
import { readyBalance } from "./routes/ready-balance.ts";
import { rejectionOf } from "./routes/rejections.ts";
import { userHandlers } from "./routes/user-handlers.ts";
import { findSettingProblems } from "./settings/find-setting-problems.ts";
import { SettingsRefused } from "./settings/setting-finding.ts";
import { usedTopUp } from "./settings/top-up-settings.ts";
import { StartUp } from "./start-up.ts";
import { walletStore } from "./store/wallet-definition.ts";
import type { ValidatorConfig } from "./validator-config.ts";
import { declareValidatorMetrics } from "./validator-metrics.ts";

/** The services of Splice's metrics, by the tags of our API. */
const HTTP_SERVICES = {
  names: "ans",
  wallet: "walletInternal",
  "scan-proxy": "scanProxy",
  validator: "validator",
  health: "public",
};

export interface Validator {
  readonly url: string;
  /** Null until it is known. */
  readonly operatorParty: () => string | null;
  readonly isReady: () => boolean;
  /** The reason why it is not ready, with the remedy; null if it is. */
  readonly missing: () => string | null;
  /** Empty until it is ready. */
  readonly automations: () => readonly AutomationStatus<ValidatorAutomationName>[];
  /** Resolves when it has seen the ledger's end and no task is due or in flight. */
  readonly idle: () => Promise<void>;
  /** The place that its store has come to. */
  readonly position: () => Promise<StorePosition>;
  /** Copies its embedded store as it is now into a file; not there with a database on a server. */
  readonly copyStore: ((file: string) => Promise<void>) | undefined;
  /** The damaged file that was moved aside at the start, and is rebuilt; null if it was sound. */
  readonly rebuilt: RebuiltFile | null;
  readonly close: () => Promise<void>;
}

/** Resolves when it listens; being ready takes a moment longer. */
export async function startValidator(config: ValidatorConfig, host: Host = systemHost): Promise<Validator> {
  const { pausedAutomations = [], migrationId = 0, migrating = false, enableWallet = true } = config;
  const paused = checkPaused(pausedAutomations, VALIDATOR_AUTOMATION_NAMES, "a validator");
  const findings = findSettingProblems(config);
  if (findings.length > 0) throw new SettingsRefused(findings);
  const used = usedTopUp(config);
  const topup = used === undefined ? undefined : { ...used, migrationId };
  const walletUsers = config.walletUsers.length === 0 ? [config.serviceUser.userId] : config.walletUsers;
  const metrics = config.metrics?.labelled({ node_type: "validator" });
  const connections = await openConnections({ ...config, ...(metrics && { metrics }) }, host);
  const startUp = new StartUp(connections, {
    ...config,
    ...{ walletUsers, paused, enableWallet, migrationId, onboarding: config.onboarding },
    contactPoint: config.contactPoint ?? "",
    metrics,
    topup,
    walletSweep: config.walletSweep ?? {},
    autoAcceptTransfers: config.autoAcceptTransfers ?? {},
    pruningSchedule: config.pruningSchedule,
    deduplicationSeconds: config.deduplicationSeconds ?? TAP_DEDUPLICATION_SECONDS,
  });
  try {
    const { operatorPartyHint } = config;
    await checkStore(connections.store, { operatorPartyHint, migrationId, migrating });
    const server = await listen({ ...config, walletUsers }, connections, startUp, metrics);
    startUp.begin();
    connections.scans.watch();
    const { topologyMetricsSeconds } = config;
    if (metrics !== undefined)
      declareValidatorMetrics({ metrics, connections, startUp, topup, topologyMetricsSeconds });
    return validatorOf({ server, connections, startUp });
  } catch (error) {
    const { scans, participant, participantAdmin } = connections;
    participant.close();
    participantAdmin.close();
    await scans.close();
    await connections.database.close();
    throw error;
  }
}

async function listen(
  config: ValidatorConfig,
  { participant, grants, scans, database, host: system }: Connections,
  startUp: StartUp,
  metrics: Metrics | undefined,
): Promise<HttpServer> {
  const { log, auth, walletUsers } = config;
  const authentication =
    "kind" in auth && auth.kind === "none"
      ? { defaultUser: walletUsers[0] ?? "" }
      : { verify: createTokenVerifier(auth, { log, host: system }) };
  const getRunning = () => {
    const { running } = startUp;
    if (running === null) throw new Error("an operation was called before the start was over");
    return running;
  };
  const callers = { authentication, participant, grants, running: () => startUp.running, log };
  const rules = {
    ...callerRules(callers),
    rejectionOf,
    httpServices: HTTP_SERVICES,
  };
  const handlers = {
    ...health({
      id: "validator",
      missing: () => startUp.missing,
      unwritable: database.unwritable,
      port: () => server.port,
      clock: system.clock,
    }),
    ...operatorHandlers(() => startUp.running, config.spliceInstanceNames),
    ...userHandlers(getRunning),
    ...adminHandlers(getRunning),
    ...proxyHandlers(scans),
  };
  const mount =
    config.enableWallet === false
      ? mountApi(validatorApiWithoutWallet, { ...rules, handlers })
      : {
          ...mountApi(validatorApi, { ...rules, handlers: { ...handlers, ...walletHandlers(getRunning) } }),
          findReady: readyBalance(validatorApi, callers),
        };
  const server = await startHttpServer({ ...listeningOf(config), mounts: [mount], log, system, metrics });
  return server;
}

interface ValidatorParts {
  readonly server: HttpServer;
  readonly connections: Connections;
  readonly startUp: StartUp;
}

function validatorOf({ server, connections, startUp }: ValidatorParts): Validator {
  const unwritable = checkedRarely(connections.database.unwritable, connections.host.clock);
  const missing = () => startUp.missing ?? unwritable();
  return {
    url: server.url,
    operatorParty: () => startUp.running?.operatorParty ?? null,
    isReady: () => missing() === null,
    missing,
    automations: () => startUp.running?.automations.status() ?? [],
    idle: () => waitUntilIdle(connections, startUp),
    position: () => walletStore.findPosition(connections.database),
    copyStore: connections.database.copyTo,
    rebuilt: connections.rebuilt,
    close: async () => {
      startUp.abort();
      await closeServer(server, connections);
      await startUp.close();
      await connections.treasury.idle();
      await connections.database.close();
    },
  };
}

async function waitUntilIdle({ participant, facts, treasury }: Connections, startUp: StartUp): Promise<void> {
  await startUp.done;
  const { running } = startUp;
  for (let round = 0; running !== null && round < MAX_IDLE_ROUNDS && !startUp.isAborted; round++) {
    const { follower, automations } = running;
    await follower.catchUp(CATCH_UP_MILLISECONDS);
    await facts.observeTime();
    const done = await automations.runDue();
    await treasury.idle();
    const isAtEnd = (await participant.ledgerEnd()) <= follower.offset;
    if (done === 0 && !treasury.isBusy && isAtEnd) return;
  }
}

/** Calls in flight may end by themselves for a while; then their connections to others are cut. */
async function closeServer(server: HttpServer, connections: Connections): Promise<void> {
  const { scans, directory, sequencers, participant, participantAdmin, host } = connections;
  const updates = Promise.all([directory?.close(), sequencers?.close()]);
  const closed = server.close();
  await waitAtMost(closed, CALLS_CLOSE_MILLISECONDS, host.timers);
  participant.close();
  participantAdmin.close();
  await scans.close();
  await updates;
  await closed;
}
