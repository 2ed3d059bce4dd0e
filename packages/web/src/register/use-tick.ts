import { useEffect, useState } from "react";
import { startRepeating } from "../browser/page-host.ts";

/** Draws the component again every so often, so that lengths of time are true. */
export function useTick(milliseconds: number, isWanted: boolean): void {
  const [, setCount] = useState(0);
  useEffect(() => {
    if (!isWanted) return undefined;
    return startRepeating(milliseconds, () => setCount((count) => count + 1));
  }, [milliseconds, isWanted]);
}
