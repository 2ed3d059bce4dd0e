/** The limits of one port's websockets. */
export interface WebsocketLimits {
  /** Of the whole port. */
  readonly maxSockets: number;
  readonly maxSocketsPerUser: number;
  /** From the handshake to the request. */
  readonly requestMilliseconds: number;
  /** A reader that takes nothing for this time is cut off. */
  readonly stallMilliseconds: number;
  /** More bytes than these in the buffer make the stream wait. */
  readonly maxBufferedBytes: number;
  /** Time between pings. A peer that has not answered by the next ping is gone. */
  readonly pingMilliseconds: number;
  /** Time between checks of the user's rights. */
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

/** The peer's time to answer a close at shutdown. */
export const CLOSE_MILLISECONDS = 1000;
