/** The public interface of @callsign/sv. */
export { Agenda } from "./agenda/agenda.ts";
export { settleAutomations } from "./automation/settle-automations.ts";
export { SvAutomation, type SvAutomationParts, type SvAutomationStatus } from "./automation/sv-automation.ts";
export { type FoundingMember, foundNetwork, type NetworkFounding, svPartyOf } from "./found-network.ts";
export { type SvNode, startSvNode } from "./sv-node.ts";
export { SV_AUTOMATIONS, type SvAutomationName } from "./sv-node-config.ts";
