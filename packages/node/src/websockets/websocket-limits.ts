/** How many websockets there may be, and how long anybody is waited for. */
export interface WebsocketLimits {
  /** Of the whole server. */
  readonly maxSockets: number;
  readonly maxSocketsPerUser: number;
  /** Until the request has come. */
  readonly requestMilliseconds: number;
  /** A reader who takes nothing for so long is cut off. */
  readonly stallMilliseconds: number;
  /** How much may wait to be written before the stream waits, too. */
  readonly maxBufferedBytes: number;
  /** A peer who has not answered a ping when the next is due is gone. */
  readonly pingMilliseconds: number;
  /** How often the user's rights are looked at again. */
  readonly recheckMilliseconds: number;
}

export const WEBSOCKET_LIMITS: WebsocketLimits = {
  maxSockets: 1000,
  maxSocketsPerUser: 100,
  requestMilliseconds: 10_000,
  stallMilliseconds: 30_000,
  maxBufferedBytes: 64 * 1024,
  pingMilliseconds: 30_000,
  recheckMilliseconds: 5000,
};
