import { useEffect, useState } from "react";
import { startTimer } from "../browser/page-host.ts";

/** The value once it has not changed for so long: a request for each word, not for each letter. */
export function useSettled<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => startTimer(milliseconds, () => setSettled(value)), [value, milliseconds]);
  return settled;
}
