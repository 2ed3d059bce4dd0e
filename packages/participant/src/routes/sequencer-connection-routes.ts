/** The sequencers that the participant is connected to: read and replaced. */
import { trimBaseUrl } from "@callsign/api";
import type { SequencerConnections } from "../network/sequencer-connections.ts";
import { findThresholdFault, findUrlFault } from "../network/sequencer-urls.ts";
import { invalidField } from "../requests/identifiers.ts";
import type { ParticipantSettings } from "../store/participant-settings.ts";
import type { AdminHandlers } from "./route-parts.ts";

export function sequencerConnectionRoutes(parts: {
  readonly connections: SequencerConnections;
  readonly settings: ParticipantSettings;
  readonly migrationId: number | null;
}) {
  const { connections, settings, migrationId } = parts;
  return {
    getSequencerConnections: () => ({
      ...connections.choice,
      urls: [...connections.choice.urls],
      migrationId,
      needed: connections.current.needed,
    }),
    setSequencerConnections: async ({ body }) => {
      const fault = findUrlFault(body.urls);
      if (fault !== null) throw invalidField("urls", fault);
      const unreachable = findThresholdFault(body.threshold, body.urls.length);
      if (unreachable !== null) throw invalidField("threshold", unreachable);
      const choice = { urls: body.urls.map(trimBaseUrl), threshold: body.threshold };
      await settings.set("sequencer-connections", choice);
      // The same again leaves the connections alone.
      if (JSON.stringify(choice) !== JSON.stringify(connections.choice)) connections.replace(choice);
      return choice;
    },
  } satisfies Partial<AdminHandlers>;
}
