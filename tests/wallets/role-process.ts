// A participant or a validator in a process of its own.
//     node role-process.ts '{"role":"participant","config":…}'

import { type RoleSettings, startRole } from "./role-runner.ts";

await startRole(JSON.parse(process.argv[2] ?? "") as RoleSettings);
process.stdout.write("listening\n");
