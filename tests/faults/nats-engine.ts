/** Three NATS nodes. */
import { silentLog, systemHost } from "@callsign/node";
import { openOrderedLog } from "@callsign/synchronizer";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import type { Machine } from "../support/machines.ts";
import { NATS_PASSWORD, NATS_SYSTEM_USER, NATS_USER, startNatsCluster } from "../support/nats-cluster.ts";
import { SmallDisk } from "../support/small-disk.ts";
import type { Engine } from "./engine.ts";
import { natsVictim } from "./victim.ts";

const NODES = 3;
const STREAM = "callsign-log";
const DISK_MEGABYTES = 1000;

export async function startNatsEngine(machines: readonly Machine[], atEnd: AtEnd): Promise<Engine> {
  const disks = machines.slice(0, NODES).map(() => SmallDisk.tryMount(DISK_MEGABYTES, atEnd));
  const folders = disks.flatMap((disk) => (disk === null ? [] : [disk.folder]));
  const cluster = await startNatsCluster({ machines, folders }, atEnd);
  const nodes = cluster.nodes.map((node, i) => natsVictim(node, disks[i] ?? null));
  const [login, system] = [NATS_USER, NATS_SYSTEM_USER].map((user) => ({ user, password: NATS_PASSWORD }));
  const nats = {
    ...{ servers: cluster.servers, stream: STREAM, user: login?.user, password: login?.password },
    ...{ systemUser: system?.user, systemPassword: system?.password },
  };
  const settings = { kind: "nats", stream: cluster.log(STREAM) } as const;
  return {
    ...{ kind: "NATS", nodes, others: [], values: { kind: "nats", nats }, failOver: null },
    open: () => openOrderedLog(settings, { host: systemHost, log: silentLog }),
    heal: async () => {
      await Promise.all(nodes.map((node) => node.mend()));
      await Promise.all(nodes.map((node) => node.ready()));
    },
  };
}
