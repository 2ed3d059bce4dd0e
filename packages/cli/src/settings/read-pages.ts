/** The web application on the ports of each role: the services behind a port, and how people log in. */
import { formatInstanceNames, type InstanceNames, type WebConfig, type WebLogin } from "@callsign/api";
import type { WebPages } from "@callsign/node";
import { DEFAULT_INSTANCE_NAMES } from "@callsign/scan";
import type { UiName } from "../keys/ui-keys.ts";
import type { KeyReader } from "./key-reader.ts";

const NO_SERVICES = { validator: null, scan: null, sv: null, ledger: null, localNetwork: null };
const SCOPE = "openid offline_access";
const DEFAULT_ACRONYM = "CNS";

export function readValidatorPages(reader: KeyReader, names: InstanceNames | undefined): WebPages {
  const wallet = readLogin(reader, "wallet");
  const nameService = readLogin(reader, "names", wallet);
  return {
    home: "wallet",
    names: showNames(names),
    services: { ...NO_SERVICES, validator: "/api/validator" },
    returnOrigins: readOrigins(reader),
    logins: { ...(wallet && { wallet }), ...(nameService && { names: nameService }) },
  };
}

/** Anybody may read a scan: nobody logs in. */
export function describeScanPages(names: InstanceNames | undefined): WebPages {
  const services = { ...NO_SERVICES, scan: "/api/scan" };
  return { home: "network", names: showNames(names), services, returnOrigins: [], logins: {} };
}

export function readSvPages(reader: KeyReader, names: InstanceNames | undefined): WebPages {
  const operator = readLogin(reader, "sv");
  return {
    home: "operator",
    names: showNames(names),
    services: { ...NO_SERVICES, sv: "/api/sv" },
    returnOrigins: [],
    logins: operator === undefined ? {} : { operator },
  };
}

function readOrigins(reader: KeyReader): readonly string[] {
  const addresses = ["wallet", "names"].map((ui) => reader.text(`callsign.ui.${ui}.url`));
  return addresses.filter((address) => address !== undefined).map((address) => new URL(address).origin);
}

/** Undefined if nobody can log in, or if a finding says what is missing. */
function readLogin(reader: KeyReader, ui: UiName, otherwise?: WebLogin): WebLogin | undefined {
  const at = (name: string) => `callsign.ui.${ui}.${name}`;
  const authority = reader.text(at("authority")) ?? otherwise?.authority;
  const clientId = reader.text(at("clientId")) ?? otherwise?.clientId;
  if (authority === undefined && clientId === undefined) return undefined;
  const fix = "Give the authority and the client id of a UI together";
  if (authority === undefined) return reader.require(at("authority"), fix);
  if (clientId === undefined) return reader.require(at("clientId"), fix);
  const audience = reader.text("callsign.ui.audience") ?? reader.text("auth.audience") ?? null;
  return { authority, clientId, audience, scope: SCOPE };
}

function showNames(names: InstanceNames = DEFAULT_INSTANCE_NAMES): WebConfig["names"] {
  const shown = formatInstanceNames(names, names.nameServiceNameAcronym ?? DEFAULT_ACRONYM);
  return {
    network: shown.network_name,
    coin: shown.amulet_name,
    coinAcronym: shown.amulet_name_acronym,
    nameService: shown.name_service_name,
    nameServiceAcronym: shown.name_service_name_acronym,
  };
}
