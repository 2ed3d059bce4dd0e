/** A validator in a process of its own, which can be killed: its argument is its configuration as JSON. It prints its address. */
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { startValidator, type ValidatorConfig } from "../../packages/validator/src/index.ts";

type Given = Omit<ValidatorConfig, "log" | "serviceUser"> & { readonly serviceToken: string };

const { serviceToken, ...config } = JSON.parse(process.argv[2] ?? "") as Given;
const serviceUser = { userId: "ledger-api-user", token: () => serviceToken };
const { url } = await startValidator({ ...config, serviceUser, log: silentLog });
process.stdout.write(`${url}\n`);
