/** One node of the local network: a participant, its validator, and a gateway to both. */
import { join } from "node:path";
import {
  CannotStart,
  type Closing,
  DatabaseDamaged,
  isSqliteDamage,
  localCallers,
  type PostgresConfig,
} from "@callsign/node";
import { type Participant, startParticipant } from "@callsign/participant";
import type { SvNode } from "@callsign/sv";
import { startValidator, type Validator } from "@callsign/validator";
import { describeDamage } from "./data-parts.ts";
import { type GatewayRoute, startGateway } from "./gateway.ts";
import type { Gateways } from "./gateways.ts";
import type { NetworkParts } from "./localnet-options.ts";
import { answerPages } from "./pages.ts";
import { splitAutomations } from "./paused-automations.ts";
import { ADDRESS, type NodeName } from "./ports.ts";
import { findRunning } from "./settle-all.ts";
import { makeToken, NODE_SETTINGS, SERVICE_USER } from "./tokens.ts";

/** As in LocalNet: all participants have the same, and ids of different fingerprints. */
const PARTICIPANT_IDENTIFIER = "participant";

export interface LocalnetNode {
  readonly name: NodeName;
  readonly walletUser: string;
  /** The wallet user's token for the validator. */
  readonly token: string;
  readonly ledgerUrl: string;
  readonly validatorUrl: string;
  readonly gatewayUrl: string;
  readonly participant: Participant;
  readonly validator: Validator;
}

export type NodeParts = NetworkParts & {
  readonly svs: readonly SvNode[];
  readonly serviceToken: string;
  readonly gateways: Gateways;
};

export async function startNode(name: NodeName, parts: NodeParts, closing: Closing): Promise<LocalnetNode> {
  const { dataFolder, ports, svs, serviceToken, gateways, pausedAutomations = [], topup } = parts;
  const { allowedCallers } = parts;
  const { walletUser, partyHint, onboardingSecret } = NODE_SETTINGS[name];
  const log = parts.log.child({ node: name });
  const participant = closing.add(
    await whole(
      `${name}/participant`,
      startParticipant({
        dataFolder: join(dataFolder, name, "participant"),
        ...schemaOf(parts, `${name}-participant`),
        nodeIdentifier: PARTICIPANT_IDENTIFIER,
        earlierIdentifiers: [`${name}-participant`],
        name: `${name}-participant`,
        sequencers: svs.map(({ sequencerUrl }) => sequencerUrl),
        host: ADDRESS,
        port: ports.nodes[name].ledger,
        ...(allowedCallers && { allowedCallers }),
        auth: parts.auth,
        adminUsers: [SERVICE_USER],
        log,
        metrics: parts.metrics,
        system: parts.host,
      }),
    ),
  );
  const validator = closing.add(
    await startValidator(
      {
        dataFolder: join(dataFolder, name, "validator"),
        ...schemaOf(parts, `${name}-validator`),
        host: ADDRESS,
        port: ports.nodes[name].validator,
        ...(allowedCallers && { allowedCallers }),
        participantUrl: participant.url,
        scans: svs.map(({ scanUrl }) => `${scanUrl}/api/scan`),
        auth: parts.auth,
        serviceUser: { userId: SERVICE_USER, token: () => serviceToken },
        walletUsers: [walletUser],
        operatorPartyHint: partyHint,
        svValidator: name === "sv",
        pausedAutomations: splitAutomations(pausedAutomations).validators,
        ...(topup === undefined ? {} : { topup }),
        onboarding: { svUrl: `${findRunning(svs).appUrl}/api/sv`, secret: onboardingSecret },
        log,
        metrics: parts.metrics.labelled({ node_name: name }),
      },
      parts.host,
    ),
  );
  const hasSv = name === "sv";
  const routes = [...nodeRoutes(participant.url, validator.url), ...networkRoutes(parts, hasSv)];
  const answerPage = answerPages({
    application: gateways.application,
    ...{ findForeign: localCallers(allowedCallers), hosts: allowedCallers?.hosts ?? [] },
    services: {
      validator: "/api/validator",
      scan: "/api/scan",
      sv: hasSv ? "/api/sv" : null,
      ledger: LEDGER_PREFIX,
      localNetwork: DEVELOPMENT_PREFIX,
    },
    scans: Object.fromEntries(svs.map((sv) => [sv.identity.nodeIdentifier, `${scanPrefixOf(sv)}/api/scan`])),
    acronym: () => gateways.acronym,
    login: (hostName) => gateways.loginOf(name, hostName),
  });
  const gateway = await gateways.open(name, () =>
    startGateway(ports.nodes[name].gateway, routes, parts.host, answerPage),
  );
  return {
    ...{ name, walletUser, participant, validator },
    token: await makeToken(walletUser),
    ledgerUrl: participant.url,
    validatorUrl: validator.url,
    gatewayUrl: gateway.url,
  };
}

function schemaOf({ database }: NodeParts, schema: string): { readonly database?: PostgresConfig } {
  return database === undefined ? {} : { database: { ...database, schema } };
}

/** A damaged store stops the start with the name of its part. */
async function whole<T>(part: string, starting: Promise<T>): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    if (isSqliteDamage(error) || error instanceof DatabaseDamaged)
      throw new CannotStart(describeDamage(part, error), { cause: error });
    throw error;
  }
}

const LEDGER_PREFIX = "/api/ledger";
const DEVELOPMENT_PREFIX = "/api/local-network";

function nodeRoutes(participantUrl: string, validatorUrl: string): readonly GatewayRoute[] {
  const hosts = ["json-ledger-api.localhost", "canton.localhost"];
  const prefixes = ["/v2", "/docs", "/livez", "/readyz"];
  return [
    { host: null, prefix: "/api/validator", target: validatorUrl },
    { host: null, prefix: LEDGER_PREFIX, target: participantUrl, cutsPrefix: true },
    ...hosts.flatMap((host) => prefixes.map((prefix) => ({ host, prefix, target: participantUrl }))),
  ];
}

/** Every SV's scan has a route of its own: pages compare their answers. */
function scanPrefixOf({ identity }: SvNode): string {
  return `/api/scans/${identity.nodeIdentifier}`;
}

/** The SV's own applications are reached through the gateway of the node `sv`, its scan through every gateway. */
function networkRoutes({ svs, gateways }: NodeParts, hasSv: boolean): readonly GatewayRoute[] {
  const [sv] = svs;
  const development = {
    ...{ prefix: DEVELOPMENT_PREFIX, target: () => gateways.developmentUrl, cutsPrefix: true },
  };
  const scans = svs.map((each) => {
    return { host: null, prefix: scanPrefixOf(each), target: each.scanUrl, cutsPrefix: true };
  });
  const routes = [{ host: null, ...development, sameOriginOnly: true }, ...scans];
  if (sv === undefined) return routes;
  const scan = { host: null, prefix: "/api/scan", target: sv.scanUrl };
  if (!hasSv) return [...routes, scan];
  return [
    ...routes,
    scan,
    { host: "scan.localhost", prefix: "/registry", target: sv.scanUrl },
    { host: null, prefix: "/api/sv", target: sv.appUrl },
  ];
}
