import type { Socket } from "node:net";

/** Writes to a caller that is asked for nothing more until it has taken what was written. */
export function writeInTurn(socket: Socket, text: string): void {
  if (!socket.write(text)) pauseUntilTaken(socket);
}

/** Writes texts, the next when the caller has taken the one before, until there is none. Nothing is read from the caller meanwhile. */
export function writeWhileTaken(socket: Socket, next: () => string | null): void {
  for (let text = next(); text !== null; text = next()) {
    if (socket.write(text)) continue;
    pauseUntilTaken(socket);
    socket.once("drain", () => writeWhileTaken(socket, next));
    return;
  }
}

export function pauseUntilTaken(socket: Socket): void {
  socket.pause();
  socket.once("drain", () => socket.resume());
}
