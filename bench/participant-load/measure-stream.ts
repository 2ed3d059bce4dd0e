/** How many active contracts a second one websocket carries, against the same contracts read by bare statements. */
import { formatWebsocketProtocols } from "../../packages/api/src/index.ts";
import type { Row } from "../measure.ts";
import type { ServedLedger } from "./served-ledger.ts";

const CONTRACTS = 50_000;

export async function measureStream(ledger: ServedLedger): Promise<readonly Row[]> {
  await stream(ledger, 5000);
  const rate = await stream(ledger, CONTRACTS);
  return [{ what: "active contracts over a websocket", value: rate, unit: "/s", floor: ledger.bareReads }];
}

/** Of any party; it is closed after so many. */
function stream({ url, token, end }: ServedLedger, count: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const address = `${url.replace("http", "ws")}/v2/state/active-contracts`;
    const socket = new WebSocket(address, formatWebsocketProtocols(token));
    let began = 0;
    let received = 0;
    socket.onopen = () => {
      const eventFormat = { filtersByParty: {}, filtersForAnyParty: {} };
      socket.send(JSON.stringify({ activeAtOffset: end, eventFormat }));
      began = performance.now();
    };
    socket.onmessage = ({ data }) => {
      if (!String(data).startsWith('{"workflowId"')) reject(new Error(String(data).slice(0, 300)));
      if (++received < count) return;
      resolve(count / ((performance.now() - began) / 1000));
      socket.close();
    };
    socket.onerror = () => reject(new Error("the websocket failed"));
  });
}
