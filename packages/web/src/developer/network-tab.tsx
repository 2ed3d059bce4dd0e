import { ClockPanel } from "./clock-panel.tsx";
import { ScansPanel } from "./scans-panel.tsx";

/** The network as a whole: its clock and its scans. */
export function NetworkTab() {
  return (
    <>
      <ClockPanel />
      <ScansPanel />
    </>
  );
}
