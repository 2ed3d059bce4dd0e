/** The active contracts that one websocket carries in a second, and the frames of a bare one of the same length. */
import { availableParallelism } from "node:os";
import { formatWebsocketProtocols } from "../../packages/api/src/index.ts";
import type { Row } from "../measure.ts";
import { MeasuredServer } from "../scan-load/measured-server.ts";
import type { ServedLedger } from "./served-ledger.ts";

const CONTRACTS = 50_000;
const WARM_UP = 5000;

export async function measureStream({ url, token, end }: ServedLedger): Promise<readonly Row[]> {
  const asked = { activeAtOffset: end, eventFormat: { filtersByParty: {}, filtersForAnyParty: {} } };
  const address = `${url.replace("http", "ws")}/v2/state/active-contracts`;
  const open = () => new WebSocket(address, formatWebsocketProtocols(token));
  const request = JSON.stringify(asked);
  const { length } = await receive(open(), { request, count: WARM_UP });
  const { rate } = await receive(open(), { request, count: CONTRACTS });
  const floor = await measureBare(length);
  return [{ what: "active contracts over a websocket", value: rate, unit: "/s", floor }];
}

async function measureBare(length: number): Promise<number> {
  const cores = `0-${availableParallelism() - 1}`;
  const server = await MeasuredServer.start("../participant-load/serve-frames.ts", [length], cores);
  const open = () => new WebSocket(`ws://127.0.0.1:${server.port}`);
  await receive(open(), { request: `${WARM_UP}`, count: WARM_UP });
  const { rate } = await receive(open(), { request: `${CONTRACTS}`, count: CONTRACTS });
  server.stop();
  return rate;
}

interface Received {
  /** Frames a second. */
  readonly rate: number;
  /** Of the last frame. */
  readonly length: number;
}

/** Sends the request, and closes the websocket after so many frames. */
function receive(
  socket: WebSocket,
  { request, count }: { readonly request: string; readonly count: number },
): Promise<Received> {
  return new Promise((resolve, reject) => {
    let began = 0;
    let received = 0;
    socket.onopen = () => {
      socket.send(request);
      began = performance.now();
    };
    socket.onmessage = ({ data }) => {
      const text = String(data);
      if (text.startsWith('{"code"')) reject(new Error(text.slice(0, 300)));
      if (++received < count) return;
      resolve({ rate: count / ((performance.now() - began) / 1000), length: text.length });
      socket.close();
    };
    socket.onclose = () => reject(new Error(`the websocket ended after ${received} frames of ${count}`));
    socket.onerror = () => reject(new Error("the websocket failed"));
  });
}
