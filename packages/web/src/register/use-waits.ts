import { useEffect, useState } from "react";
import { startRepeating, startTimer } from "../browser/page-host.ts";

/** The value as it was when it last rested for so long. */
export function useRested<T>(value: T, milliseconds: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => startTimer(milliseconds, () => setRested(value)), [value, milliseconds]);
  return rested;
}

/** Draws the component again every so often, so that lengths of time are true. */
export function useTick(milliseconds: number, isWanted: boolean): void {
  const [, setCount] = useState(0);
  useEffect(() => {
    if (!isWanted) return undefined;
    return startRepeating(milliseconds, () => setCount((count) => count + 1));
  }, [milliseconds, isWanted]);
}
