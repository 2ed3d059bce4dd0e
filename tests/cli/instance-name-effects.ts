// The effects of the keys of `spliceInstanceNames`, wherever a role has them.

import type { InstanceNames } from "@callsign/api";
import { type Effects, effectsUnder, type KeyEffect, valuesAt } from "./key-effect.ts";

const NAMES = {
  networkName: "Acme Net",
  networkFaviconUrl: "https://acme.example/icon.png",
  amuletName: "Acme Coin",
  amuletNameAcronym: "AC",
  nameServiceName: "Acme Name Service",
  nameServiceNameAcronym: "ANS",
};

export function instanceNameEffects<T>(
  path: string,
  pick: (setup: T) => InstanceNames | undefined,
): Effects<T> {
  const named = (key: keyof typeof NAMES, given: string): KeyEffect<T> => ({
    given,
    expected: { ...NAMES, [key]: given },
    pick,
    beside: valuesAt(path, NAMES),
  });
  return effectsUnder(path, {
    networkName: named("networkName", "Other Net"),
    networkFaviconUrl: named("networkFaviconUrl", "https://acme.example/other.png"),
    amuletName: named("amuletName", "Other Coin"),
    amuletNameAcronym: named("amuletNameAcronym", "OC"),
    nameServiceName: named("nameServiceName", "Other Names"),
    nameServiceNameAcronym: named("nameServiceNameAcronym", "ONS"),
  });
}
