/** The sequencers that the participant is connected to: read and replaced. */
import { trimBaseUrl } from "@callsign/api";
import type { SequencerConnections } from "../network/sequencer-connections.ts";
import { findUrlFault } from "../network/sequencer-urls.ts";
import { invalidField } from "../requests/identifiers.ts";
import type { ParticipantSettings } from "../store/participant-settings.ts";
import type { AdminHandlers } from "./route-parts.ts";

export function sequencerConnectionRoutes(parts: {
  readonly connections: SequencerConnections;
  readonly settings: ParticipantSettings;
}) {
  const { connections, settings } = parts;
  return {
    getSequencerConnections: () => ({ urls: [...connections.urls] }),
    setSequencerConnections: async ({ body }) => {
      const fault = findUrlFault(body.urls);
      if (fault !== null) throw invalidField("urls", fault);
      const urls = body.urls.map(trimBaseUrl);
      await settings.set("sequencer-connections", { urls });
      // The same URLs again leave the connections alone.
      if (JSON.stringify(urls) !== JSON.stringify(connections.urls)) connections.replace(urls);
      return { urls };
    },
  } satisfies Partial<AdminHandlers>;
}
