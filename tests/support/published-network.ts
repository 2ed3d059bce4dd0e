/** SVs whose scans and sequencers are reached through relays: their addresses on the ledger are those of the relays. */
import { join } from "node:path";
import { createClient, HttpError, scanApi } from "@callsign/api";
import { systemHost } from "@callsign/node";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { signFounding } from "../../packages/sv/src/founding/sign-founding.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { type Relay, startRelay } from "./relay.ts";
import { openSvNode } from "./sv-nodes.ts";

export const ONBOARDING_SECRET = "published-network-secret";

export interface PublishedSv {
  readonly name: string;
  readonly scan: Relay;
  readonly sequencer: Relay;
  readonly node: SvNode;
}

export interface PublishedNetwork {
  readonly svs: readonly PublishedSv[];
  /** The URLs of the scans as validators use them, in the order of the SVs. */
  readonly scanUrls: () => readonly string[];
  readonly sequencerUrls: () => readonly string[];
  /** Starts the SV again under new addresses, and resolves when the ledger shows them. */
  readonly move: (place: number) => Promise<void>;
}

export async function startPublishedNetwork(atEnd: AtEnd, count = 4): Promise<PublishedNetwork> {
  const folder = temporaryFolder(atEnd);
  const orderedLog = new SqliteLog(join(folder, "log.sqlite"), systemHost);
  atEnd(() => orderedLog.close());
  const svs: PublishedSv[] = [];
  const open = async (rank: number): Promise<PublishedSv> => {
    const name = `sv-${rank + 1}`;
    const [scan, sequencer] = [await startRelay(atEnd), await startRelay(atEnd)];
    const node = await openSvNode({
      ...{ dataFolder: join(folder, name), orderedLog, name },
      publicUrls: { scan: scan.url, sequencer: sequencer.url },
      app: { expectedSecrets: rank === 0 ? [ONBOARDING_SECRET] : [] },
    });
    atEnd(() => node.close());
    scan.moveTo(node.scanUrl);
    sequencer.moveTo(node.sequencerUrl);
    return { name, scan, sequencer, node };
  };
  const isListed = async () => {
    const client = createClient(scanApi, { fetch, baseUrl: `${svs[0]?.node.scanUrl}/api/scan` });
    // It answers 503 until it has the founding.
    const { scans } = await client.listDsoScans().catch((error: unknown) => {
      if (error instanceof HttpError && error.status === 503) return { scans: [] };
      throw error;
    });
    const urls = scans[0]?.scans.map(({ publicUrl }) => publicUrl) ?? [];
    return svs.every(({ scan }) => urls.includes(scan.url));
  };
  for (let rank = 0; rank < count; rank++) svs.push(await open(rank));
  const founders = svs.map(({ node }) => ({ identity: node.identity }));
  await svs[0]?.node.submit(signFounding({ svs: founders, movableClock: true, isDevNet: true }));
  await until(isListed, "every scan is on the ledger");
  return {
    svs,
    scanUrls: () => svs.map(({ scan }) => `${scan.url}/api/scan`),
    sequencerUrls: () => svs.map(({ sequencer }) => sequencer.url),
    move: async (place) => {
      await svs[place]?.node.close();
      svs[place] = await open(place);
      await until(isListed, "the new addresses are on the ledger");
    },
  };
}
