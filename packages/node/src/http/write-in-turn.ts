import type { Socket } from "node:net";

/** Writes to a caller that is asked for nothing more until it has taken what was written. */
export function writeInTurn(socket: Socket, text: string): void {
  if (!socket.write(text)) pauseUntilTaken(socket);
}

export function pauseUntilTaken(socket: Socket): void {
  socket.pause();
  socket.once("drain", () => socket.resume());
}
