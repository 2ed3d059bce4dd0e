import { ClockPanel } from "./clock-panel.tsx";
import { ScansPanel } from "./scans-panel.tsx";
import { SnapshotsPanel } from "./snapshots-panel.tsx";

/** The network as a whole: its clock, its scans, and snapshots of it. */
export function NetworkTab() {
  return (
    <>
      <ClockPanel />
      <ScansPanel />
      <SnapshotsPanel />
    </>
  );
}
