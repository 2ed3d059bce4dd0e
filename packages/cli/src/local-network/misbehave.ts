/** `callsign misbehave`: makes a scan of the local network misbehave, or be honest again. */
import type { ScanBehaviour } from "@callsign/api";
import { openDevelopment } from "../networks/connection.ts";
import { getLocalNetwork } from "../networks/find-local-network.ts";
import type { CommandCall } from "../networks/network-command.ts";
import { EXIT } from "../output/exit-code.ts";

/** In the words of the local network's API. */
export const SCAN_BEHAVIOURS: readonly ScanBehaviour[] = ["lie", "lag", "hang", "error", "stop", "honest"];

export async function misbehave(call: CommandCall): Promise<number> {
  const [number = "", behaviour = ""] = call.words;
  const development = openDevelopment(await getLocalNetwork(call), call);
  const body = { behaviour: behaviour as ScanBehaviour };
  const answer = await development.setScanBehaviour({ params: { number }, body });
  call.printer.print({ scan: Number(number), ...answer }, (paint) => {
    const style = answer.behaviour === "honest" ? "green" : "yellow";
    return `From now on scan ${number} is told to: ${paint(style, answer.behaviour)}.\n`;
  });
  return EXIT.done;
}
