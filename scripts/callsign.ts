// `npm run callsign`: the command. A local network has the web application, as with `npm start`.
import { buildWebApplication } from "./web-build.ts";

// `callsign up` runs it in the background.
if (process.argv[2] === "localnet" && !process.argv.includes("--help")) {
  const { failure } = await buildWebApplication((line) => process.stderr.write(`${line}\n`));
  if (failure !== null)
    process.stderr.write(
      `The web application could not be built, and the network starts without it: ${failure}\n`,
    );
}
await import("../packages/cli/src/main.ts");
