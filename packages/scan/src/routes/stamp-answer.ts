/**
 * Stamps an answer with the record time at which it is made. Scan may have moved on when the answer is sent, and a reader
 * must never take an answer for newer than it is.
 */
import { RECORD_TIME_HEADER } from "@callsign/api";
import type { ScanClock } from "./scan-clock.ts";
import { type SoonAnswer, withHeaders } from "./with-headers.ts";

export function stampAnswer(clock: ScanClock, answer: () => SoonAnswer): SoonAnswer {
  return withHeaders({ [RECORD_TIME_HEADER]: clock.text }, answer);
}
