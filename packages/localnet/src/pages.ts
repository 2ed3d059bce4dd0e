/** The web application on the gateways: each host name of LocalNet opens it at the section that the name stands for. */
import { formatInstanceNames, type WebConfig, type WebHome, type WebLogin } from "@callsign/api";
import { type FindForeignCaller, findHome, hostNameOf, type WebApplication } from "@callsign/node";
import { DEFAULT_INSTANCE_NAMES } from "@callsign/scan";
import type { FallbackAnswer } from "./gateway.ts";

/** Names without a word for a section. */
const PLAIN_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1"]);

export interface GatewayPages {
  readonly application: WebApplication;
  readonly findForeign: FindForeignCaller;
  readonly hosts: readonly string[];
  readonly services: WebConfig["services"];
  readonly scans: NonNullable<WebConfig["scans"]>;
  /** A restored snapshot may have another one. */
  readonly acronym: () => string;
  readonly login: (hostName: string) => WebLogin | null;
}

/** Host names that name none of the sections are left to the routes. */
export function answerPages(pages: GatewayPages): FallbackAnswer {
  const { application, findForeign } = pages;
  const allowed = new Set(pages.hosts.map((each) => each.toLowerCase()));
  return (request, response) => {
    if (!application.serves(request)) return false;
    const { host = "", origin } = request.headers;
    const name = hostNameOf(host);
    if (findForeign(host, origin) === "host") {
      const error = `This gateway answers to localhost, names below it and loopback addresses, not to ${name}. More are let in by --allow-host`;
      response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify({ error }));
      return true;
    }
    const isPlain = PLAIN_NAMES.has(name) || allowed.has(name);
    const home = isPlain ? "names" : findHome(name);
    if (home === undefined) return false;
    application.answer(request, response, describe(pages, home, name));
    return true;
  };
}

function describe(
  { services, scans, acronym, login }: GatewayPages,
  home: WebHome,
  hostName: string,
): WebConfig {
  const shown = formatInstanceNames(DEFAULT_INSTANCE_NAMES, acronym());
  return {
    home,
    names: {
      network: shown.network_name,
      coin: shown.amulet_name,
      coinAcronym: shown.amulet_name_acronym,
      nameService: shown.name_service_name,
      nameServiceAcronym: shown.name_service_name_acronym,
    },
    services,
    returnOrigins: [],
    scans,
    login: login(hostName),
  };
}
