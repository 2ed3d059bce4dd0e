import { z } from "zod";

/** The permission of a participant to act for a party that it hosts. */
export const ParticipantPermission = z.enum([
  "PARTICIPANT_PERMISSION_UNSPECIFIED",
  "PARTICIPANT_PERMISSION_SUBMISSION",
  "PARTICIPANT_PERMISSION_CONFIRMATION",
  "PARTICIPANT_PERMISSION_OBSERVATION",
]);
