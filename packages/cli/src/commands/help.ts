/** The text of `callsign help`. */
import { SOURCE_USAGE } from "../settings/source-options.ts";

export const HELP = `Usage: callsign <command> [options]
  validator             runs a validator until it is told to stop
  participant           runs a participant until it is told to stop
  sv [--workers <n>]    runs SVs: all of a network, founded at its first start, or some on a shared log; with workers,
                        scans are served by n processes each
  scan [--workers <n>]  runs a scan that follows a shared log, without an SV
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
  store resync [--yes]  says what a stopped participant whose stream was pruned gives up; with --yes it does, and its next
                        start loads the active contracts of its parties from the SVs
  keys show [<role>]    the signing keys of a participant or of SVs, here and on the network
  keys rotate [<role>] [--replace-unknown]
                        gives them new signing keys, while they work
  identity export --to <file>
                        a participant's private keys, for the loss of its machine
  identity import --from <file>
                        puts them into an empty place; the next start reads everything else from the network
  identity show [--json]
                        the public side of the SVs' identities, made if there are none; --json: cards for network draft
  network draft <cards>… --to <file>
                        the founding of a network of several organisations, from their SVs' cards
  network draft --activation --to <file>
                        the activation of the newest protocol version that the running SV knows
  network sign <draft> --to <file>
                        signs a draft for this configuration's SVs: a founding with its terms, or an activation
  network found <draft> <signatures>…
                        appends the draft that all SVs have signed to the configured log; once
  log copy --to <file>  copies a stopped network's log to the place that another values file names, and verifies it
  log restore [--yes] [--lost <SV>,…] [--keep <number>:<hash>,…]
                        says which entries a shared log that lost its tail gets back from the SVs' copies, beside a
                        stopped SV; with --yes it appends them, and cuts dropped entries from the SV's own copy
  network activate <draft> <signatures>…
                        has the running SV append an activation that SVs have signed; earlier programs cannot follow
  network activate      the same on a stopped network whose SVs are all in one data folder
  network migrate       carries a stopped network of SVs over to the next migration id
  localnet              runs a whole network for developers; its own options: callsign localnet --help
  version               the version of this program, also as --version
  help                  this text
Options:
${SOURCE_USAGE}
`;
