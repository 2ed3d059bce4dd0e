/** The text of `callsign help`. */
import { SOURCE_USAGE } from "../settings/source-options.ts";

export const HELP = `Usage: callsign <command> [options]
  validator             runs a validator until it is told to stop
  participant           runs a participant until it is told to stop
  sv                    founds a network of SVs at its first start, and runs it
  config check          tells all mistakes of a configuration at once
  config show           prints the merged configuration, without secrets
  config explain <key>  tells what a key means
  doctor [<role>]       tries from outside what the configuration of a validator or participant names
  status [<role>]       asks the running process: is it ready, where does it listen, how far has it come
  backup [<role>] --to <folder>
                        copies a role's store and identity while it runs
  restore [<role>] --from <folder> [--verify] [--replace]
                        restores a stopped role; without a configuration, --verify checks the back-up alone
  store move [<role>] --to <file> [--replace]
                        moves a stopped role's store to the place that another values file names
  keys show [<role>]    the signing keys of a participant or of SVs, here and on the network
  keys rotate [<role>] [--replace-unknown]
                        gives them new signing keys, while they work
  identity export --to <file>
                        a participant's private keys, for the loss of its machine
  identity import --from <file>
                        puts them into an empty place; the next start reads everything else from the network
  network activate      activates this program's protocol version on a stopped network; earlier programs cannot follow
  network migrate       carries a stopped network of SVs over to the next migration id
  localnet              runs a whole network for developers; its own options: callsign localnet --help
  version               the version of this program, also as --version
  help                  this text
Options:
${SOURCE_USAGE}
`;
