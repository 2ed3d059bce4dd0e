import { z } from "zod";

/** What a participant may do for a party that it hosts. */
export const ParticipantPermission = z.enum([
  "PARTICIPANT_PERMISSION_UNSPECIFIED",
  "PARTICIPANT_PERMISSION_SUBMISSION",
  "PARTICIPANT_PERMISSION_CONFIRMATION",
  "PARTICIPANT_PERMISSION_OBSERVATION",
]);
