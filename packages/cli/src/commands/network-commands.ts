/** The commands that speak to a network, by their names of one word or two. */
import type { NetworkCommand } from "../networks/network-command.ts";
import { LOCAL_NETWORK_COMMANDS } from "./local-network-commands.ts";
import { COIN_COMMANDS, NAME_COMMANDS } from "./name-commands.ts";

export const NETWORK_COMMAND_GROUPS: Readonly<Record<string, Readonly<Record<string, NetworkCommand>>>> = {
  "The local network": LOCAL_NETWORK_COMMANDS,
  Names: NAME_COMMANDS,
  Coin: COIN_COMMANDS,
};

export const NETWORK_COMMANDS: ReadonlyMap<string, NetworkCommand> = new Map(
  Object.values(NETWORK_COMMAND_GROUPS).flatMap((group) => Object.entries(group)),
);
