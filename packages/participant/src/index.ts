/** The public interface of @callsign/participant. */
export { type Participant, startParticipant } from "./start-participant.ts";
