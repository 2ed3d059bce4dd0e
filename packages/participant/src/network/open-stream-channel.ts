import { baseUrlOf, sequencerApi } from "@callsign/api";
import { type Host, type HttpClient, LookupChannel } from "@callsign/node";
import { ANSWER_MILLISECONDS } from "../limits/limits.ts";

/** The channel on which a sequencer's stream is followed; null without a way to open one. */
export function openStreamChannel(
  url: string,
  { upgrade, host }: { readonly upgrade?: HttpClient["upgrade"] | undefined; readonly host: Host },
): LookupChannel | null {
  if (upgrade === undefined) return null;
  const baseUrl = baseUrlOf(sequencerApi, url);
  return new LookupChannel({ baseUrl, client: { upgrade }, host, timeoutMilliseconds: ANSWER_MILLISECONDS });
}
