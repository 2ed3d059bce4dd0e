/**
 * The seed of everything that tests draw at random. `npm test` uses the same one every time, so that its outcome
 * never depends on luck; `npm run test:long` draws a fresh one and prints the line that replays a failure.
 */
export const seed = Number(process.env["CALLSIGN_SEED"] ?? 20_261_115);
