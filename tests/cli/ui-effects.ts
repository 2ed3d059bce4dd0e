// The effects of the keys of the web application's login, wherever a role has them.

import type { WebHome } from "@callsign/api";
import type { WebPages } from "@callsign/node";
import { type Effects, effectsUnder } from "./key-effect.ts";

/** `home`: the section whose login the keys of `ui` are. */
export function uiEffects<T>(
  { ui, home }: { readonly ui: string; readonly home: WebHome },
  pick: (setup: T) => WebPages | undefined,
): Effects<T> {
  const beside = { callsign: { ui: { [ui]: { authority: "https://login.example", clientId: "a-ui" } } } };
  return effectsUnder(`callsign.ui.${ui}`, {
    authority: {
      given: "https://login.other.example/tenant",
      expected: "https://login.other.example/tenant",
      pick: (setup) => pick(setup)?.logins[home]?.authority,
      beside,
    },
    clientId: {
      given: "other-ui",
      expected: "other-ui",
      pick: (setup) => pick(setup)?.logins[home]?.clientId,
      beside,
    },
  });
}

export function uiAudienceEffects<T>(
  { ui, home }: { readonly ui: string; readonly home: WebHome },
  pick: (setup: T) => WebPages | undefined,
): Effects<T> {
  return {
    "callsign.ui.audience": {
      given: "https://ui.example",
      expected: "https://ui.example",
      pick: (setup) => pick(setup)?.logins[home]?.audience,
      beside: { callsign: { ui: { [ui]: { authority: "https://login.example", clientId: "a-ui" } } } },
    },
  };
}

export function uiAddressEffects<T>(ui: string, pick: (setup: T) => WebPages | undefined): Effects<T> {
  return {
    [`callsign.ui.${ui}.url`]: {
      given: "https://ui.example/path",
      expected: ["https://ui.example"],
      pick: (setup) => pick(setup)?.returnOrigins,
    },
  };
}
