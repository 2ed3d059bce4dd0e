/** Facts of the network that pages of coin and names need, as several scans agree on them. */
import type { ContractWithState } from "@callsign/api";
import type { UseQueryResult } from "@tanstack/react-query";
import { useNetworkClock } from "../calls/network-clock.ts";
import { useRead } from "../calls/use-calls.ts";
import { isTrueAt, textAt } from "./payload-fields.ts";

const ROUNDS_EVERY_MILLISECONDS = 30_000;

/** Dollars for one coin in the newest round that is open; null before it is known, and while there is none. */
export function useCoinPrice(): string | null {
  const { data } = useRead(
    "validator",
    "GET /v0/scan-proxy/open-and-issuing-mining-rounds",
    {},
    { everyMilliseconds: ROUNDS_EVERY_MILLISECONDS },
  );
  const round = findNewestOpenRound(data?.open_mining_rounds ?? [], useNetworkClock());
  return round === null ? null : textAt(round.contract.payload, "amuletPrice");
}

/** Rounds are announced before they open: the newest one whose time has come. */
export function findNewestOpenRound(
  rounds: readonly ContractWithState[],
  now: number,
): ContractWithState | null {
  const open = rounds.filter(
    ({ contract }) => new Date(textAt(contract.payload, "opensAt")).getTime() <= now,
  );
  return open.at(-1) ?? rounds[0] ?? null;
}

export function useAmuletRules(): UseQueryResult<{ amulet_rules: ContractWithState }> {
  return useRead("validator", "GET /v0/scan-proxy/amulet-rules", {});
}

/** True on a network where coin is free. */
export function useIsDevNet(): boolean {
  return isTrueAt(useAmuletRules().data?.amulet_rules.contract.payload, "isDevNet");
}
