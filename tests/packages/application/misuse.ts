import type { Localnet, LocalnetOptions } from "callsign";

/** The compiler knows the options and the network. */
export const misuse = {
  // @ts-expect-error: an acronym is text.
  options: { acronym: 7 } satisfies LocalnetOptions,
  // @ts-expect-error: a network has no such node.
  node: (given: Localnet) => given.nodes["nobody"],
};
