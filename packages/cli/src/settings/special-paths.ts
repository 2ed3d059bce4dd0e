/** Paths of additional configuration that are no single key of the values. */
import { PARTICIPANT_ROOT, VALIDATOR_ROOT } from "../keys/hocon-roots.ts";
import { findNode, type ValueNode } from "../values/value-node.ts";

type Special =
  | { readonly settings: readonly (readonly [key: string, value: ValueNode])[] }
  | { readonly problem: string; readonly fix: string };

/** Undefined: the path is read as any other. */
export const SPECIAL_PATHS: ReadonlyMap<string, (node: ValueNode) => Special | undefined> = new Map([
  ["canton.monitoring.metrics.histograms", readHistograms],
  [`${PARTICIPANT_ROOT}.ledger-api.auth-services`, readAuthServices],
  [`${VALIDATOR_ROOT}.onboarding`, readNoOnboarding],
  [`${VALIDATOR_ROOT}.restore-from-migration-dump`, readMigrating],
]);

function scalar(value: string | boolean, { origin }: ValueNode): ValueNode {
  return { kind: "scalar", value, origin };
}

/** Definitions of native histograms; an empty list switches them off. */
function readHistograms(node: ValueNode): Special {
  if (node.kind !== "list") return { problem: "is no list", fix: "Give [] for classic histograms" };
  return { settings: [["callsign.metrics.nativeHistograms", scalar(node.items.length > 0, node)]] };
}

/** `onboarding = null`: the validator has its license. */
function readNoOnboarding(node: ValueNode): Special | undefined {
  const isCleared = node.kind === "null" || (node.kind === "scalar" && node.value === "");
  return isCleared ? { settings: [["svSponsorAddress", scalar("", node)]] } : undefined;
}

function readMigrating(node: ValueNode): Special {
  return { settings: [["migration.migrating", scalar(node.kind !== "null", node)]] };
}

const SERVICE_FIX = "Give one service of type jwt-jwks or unsafe-jwt-hmac-256, or [] for none";

/** One service, or none: then no token is needed. */
function readAuthServices(node: ValueNode): Special {
  if (node.kind !== "list") return { problem: "is no list", fix: SERVICE_FIX };
  const [service, ...more] = node.items;
  if (service === undefined) return { settings: [["disableAuth", scalar(true, node)]] };
  if (more.length > 0) return { problem: "has several services", fix: SERVICE_FIX };
  const text = (name: string) => {
    const found = findNode(service, [name]);
    return found?.kind === "scalar" ? found : undefined;
  };
  const type = text("type")?.value;
  const isShared = type === "unsafe-jwt-hmac-256";
  if (!isShared && type !== "jwt-jwks") return { problem: "has a service of another type", fix: SERVICE_FIX };
  const keys: Readonly<Record<string, string>> = {
    "auth.targetAudience": "target-audience",
    "callsign.auth.targetScope": "target-scope",
    ...(isShared ? { "callsign.auth.secret": "secret" } : { "auth.jwksUrl": "url" }),
  };
  const given = Object.entries(keys).flatMap(([key, name]) => {
    const value = text(name);
    return value === undefined ? [] : [[key, value] as const];
  });
  return {
    settings: [["callsign.auth.algorithm", scalar(isShared ? "hs-256-unsafe" : "rs-256", service)], ...given],
  };
}
