/** The public interface of @callsign/participant. */
export { importIdentity } from "./open-identity.ts";
export { parseCron } from "./pruning/cron.ts";
export { giveUpHistory } from "./resync/give-up-history.ts";
export { type Participant, startParticipant } from "./start-participant.ts";
export { participantStore } from "./store/participant-store.ts";
