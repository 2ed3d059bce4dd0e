/**
 * The token of a websocket: browsers cannot set headers, so it stands among the subprotocols that the
 * client offers, `jwt.token.<token>, daml.ws.auth`. The server always chooses the second.
 */
export const WEBSOCKET_PROTOCOL = "daml.ws.auth";
const TOKEN_PREFIX = "jwt.token.";

export function formatWebsocketProtocols(token: string | undefined): string[] {
  return token === undefined ? [WEBSOCKET_PROTOCOL] : [TOKEN_PREFIX + token, WEBSOCKET_PROTOCOL];
}

/** The token in a `Sec-WebSocket-Protocol` header, if there is one. */
export function findWebsocketToken(header: string | undefined): string | undefined {
  return header
    ?.split(",")
    .map((protocol) => protocol.trim())
    .find((protocol) => protocol.startsWith(TOKEN_PREFIX))
    ?.slice(TOKEN_PREFIX.length);
}
