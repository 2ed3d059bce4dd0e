// `npm run web`: builds the web application, which `npm start` does as well.
import { buildWebApplication } from "./web-build.ts";

const { failure } = await buildWebApplication((line) => process.stderr.write(`${line}\n`));
if (failure !== null) {
  process.stderr.write(`The web application could not be built: ${failure}\n`);
  process.exitCode = 1;
}
