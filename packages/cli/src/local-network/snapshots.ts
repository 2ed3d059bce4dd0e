/** `callsign snapshot save|list|restore|delete`: the whole local network, as it was. */
import type { NetworkSnapshot } from "@callsign/api";
import { formatTable } from "@callsign/node";
import { openDevelopment } from "../networks/connection.ts";
import { getLocalNetwork } from "../networks/find-local-network.ts";
import type { CommandCall } from "../networks/network-command.ts";
import type { Paint } from "../output/answer-printer.ts";
import { EXIT } from "../output/exit-code.ts";

/** A long history takes a while to copy. */
const SNAPSHOT_CALL = { timeoutMilliseconds: 300_000 };
const MEBIBYTE = 1024 * 1024;

export async function saveNetworkSnapshot(call: CommandCall): Promise<number> {
  const [name = ""] = call.words;
  const development = openDevelopment(await getLocalNetwork(call), call);
  call.progress.begin(`saving the network as ${name}`);
  const saved = await development.saveSnapshot({ body: { name } }, SNAPSHOT_CALL);
  call.progress.done();
  call.printer.print(
    saved,
    () => `Saved ${describe(saved)}. Back to it: callsign snapshot restore ${saved.name}\n`,
  );
  return EXIT.done;
}

export async function listNetworkSnapshots(call: CommandCall): Promise<number> {
  const answer = await openDevelopment(await getLocalNetwork(call), call).listSnapshots();
  call.printer.print(answer, (paint) => describeAll(answer.snapshots, paint));
  return EXIT.done;
}

export async function restoreNetworkSnapshot(call: CommandCall): Promise<number> {
  const [name = ""] = call.words;
  const development = openDevelopment(await getLocalNetwork(call), call);
  call.progress.begin(`putting the network back to ${name}`);
  const restored = await development.restoreSnapshot({ params: { name } }, SNAPSHOT_CALL);
  call.progress.done();
  call.printer.print(restored, () => `The network is back at ${describe(restored)}.\n`);
  return EXIT.done;
}

export async function deleteNetworkSnapshot(call: CommandCall): Promise<number> {
  const [name = ""] = call.words;
  await openDevelopment(await getLocalNetwork(call), call).deleteSnapshot(
    { params: { name } },
    SNAPSHOT_CALL,
  );
  call.printer.print({ deleted: name }, () => `Deleted ${name}.\n`);
  return EXIT.done;
}

function describe({ name, time, entries }: NetworkSnapshot): string {
  return `${name}, at the network's time ${time}, behind entry ${entries}`;
}

function describeAll(snapshots: readonly NetworkSnapshot[], paint: Paint): string {
  if (snapshots.length === 0) return "No snapshots. Save one: callsign snapshot save <name>\n";
  const rows = snapshots.map(({ name, savedAt, time, entries, bytes }) => [
    ...[name, savedAt, time, String(entries), `${(bytes / MEBIBYTE).toFixed(1)} MiB`],
  ]);
  const [head = "", ...lines] = formatTable([
    ["name", "saved at", "network's time", "entries", "size"],
    ...rows,
  ]).split("\n");
  return `${[paint("bold", head), ...lines].join("\n")}\n`;
}
