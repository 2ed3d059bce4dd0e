// `npm start`: builds the web application if its sources have changed, and runs the local network.
import { buildWebApplication } from "./web-build.ts";

const { failure } = await buildWebApplication((line) => process.stderr.write(`${line}\n`));
if (failure !== null) {
  process.stderr.write(
    `The web application could not be built, and the network starts without it: ${failure}\n`,
  );
}
const isQuiet = ["--json", "--help", "-h"].some((option) => process.argv.includes(option));
if (!isQuiet) process.stderr.write("Starting the local network ...\n");
await import("../packages/localnet/src/main.ts");
