import { useEffect } from "react";
import { useWebConfig } from "../config/web-config.ts";
import { noteRecordTime } from "./network-clock.ts";
import { useRead } from "./use-calls.ts";

const EVERY_MILLISECONDS = 30_000;

/** On a local network, whose clock may have been moved: times on the page are told from the network's time. */
export function useLocalClock(): void {
  const { services } = useWebConfig();
  const isWanted = services.localNetwork !== null;
  const read = useRead(
    "localNetwork",
    "GET /ext/v1/clock",
    {},
    { isWanted, everyMilliseconds: EVERY_MILLISECONDS },
  );
  const time = read.data?.time ?? null;
  useEffect(() => noteRecordTime(time), [time]);
}
