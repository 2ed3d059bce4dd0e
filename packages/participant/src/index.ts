/** The public interface of @callsign/participant. */
export { parseSchedule, type ScheduleTexts } from "./pruning/pruning-schedule.ts";
export { type Participant, startParticipant } from "./start-participant.ts";
