/**
 * Stamps an answer with the record time at which it was made. Scan may have moved on when the answer is sent, and a reader
 * must never take an answer for newer than it is.
 */
import { type Endpoint, RECORD_TIME_HEADER } from "@callsign/api";
import { type Answer, Refusal, Reply } from "@callsign/node";
import type { ScanClock } from "./scan-clock.ts";

export function stampAnswer(clock: ScanClock, answer: () => Answer<Endpoint>): Answer<Endpoint> {
  const stamp = { [RECORD_TIME_HEADER]: clock.text };
  try {
    const given = answer();
    if (!(given instanceof Reply)) return new Reply<never>(given as never, { headers: stamp });
    return new Reply(given.answer, { status: given.status, headers: { ...given.headers, ...stamp } });
  } catch (error) {
    throw error instanceof Refusal ? error.withHeaders(stamp) : error;
  }
}
