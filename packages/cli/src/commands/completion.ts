/** Completion scripts for shells, made from the tables of commands: names of commands, options, and values. */
import type { OptionTable } from "../settings/source-options.ts";
import { CONFIGURED_COMMANDS } from "./configured-commands.ts";
import { ALL_HELP } from "./help.ts";
import { NETWORK_COMMANDS } from "./network-commands.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type ShellName = (typeof SHELLS)[number];

interface Completed {
  readonly name: string;
  readonly summary: string;
  readonly options: OptionTable;
  /** The values that each word may have. */
  readonly choices: readonly (readonly string[])[];
}

const SOURCE_OPTIONS: OptionTable = {
  values: { type: "string", short: "f", meaning: "a values file" },
  set: { type: "string", meaning: "one value" },
  "set-string": { type: "string", meaning: "one value, as text" },
  secrets: { type: "string", meaning: "the folder of mounted secrets" },
};
const OTHER_CHOICES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  completion: [SHELLS],
  help: [[...new Set([...ALL_HELP.keys()].map((name) => name.split(" ")[0] ?? ""))]],
};

export function formatShellCompletion(shell: ShellName): string {
  const commands = listCompleted();
  if (shell === "bash") return formatBash(commands);
  return shell === "zsh" ? formatZsh(commands) : formatFish(commands);
}

function listCompleted(): readonly Completed[] {
  return [...ALL_HELP].map(([name, { summary }]) => {
    const network = NETWORK_COMMANDS.get(name);
    const configured = CONFIGURED_COMMANDS.get(name);
    const sources = configured !== undefined || name.startsWith("config ") ? SOURCE_OPTIONS : {};
    const options = { ...network?.options, ...configured?.options, ...sources };
    const roles =
      configured !== undefined && typeof configured.run !== "function" ? [Object.keys(configured.run)] : [];
    return { name, summary, options, choices: network?.choices ?? OTHER_CHOICES[name] ?? roles };
  });
}

/** The first words, or the second words of a first one. */
function nextWords(commands: readonly Completed[], first?: string): readonly string[] {
  const words = commands.map(({ name }) => name.split(" "));
  const next =
    first === undefined
      ? words.map(([word]) => word)
      : words.filter(([word]) => word === first).map(([, word]) => word);
  return [...new Set(next.filter((word) => word !== undefined))];
}

function optionWords({ options }: Completed): readonly string[] {
  return [...Object.keys(options), "help"].map((name) => `--${name}`);
}

function formatBash(commands: readonly Completed[]): string {
  const cases = commands.map((command) => {
    const { name, options, choices } = command;
    const values = Object.entries(options).flatMap(([option, { choices: some }]) =>
      some === undefined ? [] : [`      "${name}|--${option}") words="${some.join(" ")}" ;;\n`],
    );
    const words = choices.map((some, i) => `      "${name}|${i}") words="${some.join(" ")}" ;;\n`);
    return {
      options: `      "${name}") options="${optionWords(command).join(" ")}" ;;\n`,
      values: [...values, ...words].join(""),
    };
  });
  const groups = nextWords(commands).flatMap((first) => {
    const second = nextWords(commands, first);
    return second.length === 0 ? [] : [`      "${first}") words="${second.join(" ")}" ;;\n`];
  });
  return `# Completion of callsign for bash: source <(callsign completion bash)
_callsign() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" options="" words="" place=0 i word
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${nextWords(commands).join(" ")}"
  else
    command="\${COMP_WORDS[1]}"
    case "$command" in
${groups.join("")}    esac
    if [ -n "$words" ] && [ "$COMP_CWORD" -gt 2 ] && [[ " $words " == *" \${COMP_WORDS[2]} "* ]]; then
      command="$command \${COMP_WORDS[2]}"
      words=""
    elif [ "$COMP_CWORD" -gt 2 ]; then
      words=""
    fi
    case "$command" in
${cases.map((each) => each.options).join("")}    esac
    for ((i = $(wc -w <<< "$command") + 1; i < COMP_CWORD; i++)); do
      [[ "\${COMP_WORDS[i]}" == -* ]] || place=$((place + 1))
    done
    local chosen=""
    for word in "$previous" "$place"; do
      [ -n "$chosen" ] && break
      case "$command|$word" in
${cases
  .map((each) => each.values)
  .join("")
  .replaceAll('words="', 'chosen="')}      esac
    done
    words="$words $chosen"
    [[ "$current" == -* ]] && words="$options"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _callsign callsign
`;
}

/** zsh runs bash's completions. */
function formatZsh(commands: readonly Completed[]): string {
  return `#compdef callsign
# Completion of callsign for zsh: source <(callsign completion zsh)
autoload -U +X bashcompinit && bashcompinit
${formatBash(commands).replace(/^#.*\n/, "")}`;
}

function formatFish(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, summary, options, choices }) => {
    const [first = "", second] = name.split(" ");
    const isAlone = second === undefined;
    const seen = isAlone
      ? `__fish_seen_subcommand_from ${first}`
      : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`;
    const beginning = isAlone
      ? [`complete -c callsign -n __fish_use_subcommand -f -a ${first} -d ${quote(summary)}`]
      : [
          `complete -c callsign -n __fish_use_subcommand -f -a ${first}`,
          `complete -c callsign -n ${quote(`__fish_seen_subcommand_from ${first}`)} -f -a ${second} -d ${quote(summary)}`,
        ];
    const values = choices.flatMap((some, i) => {
      const place = `${seen}; and test (count (string match -v -- "-*" (commandline -opc))) -eq ${name.split(" ").length + 1 + i}`;
      return some.length === 0
        ? []
        : [`complete -c callsign -n ${quote(place)} -f -a ${quote(some.join(" "))}`];
    });
    const given = Object.entries(options).map(([option, { type, short, meaning = "", choices: some }]) => {
      const letter = short === undefined ? "" : ` -s ${short}`;
      const value = type === "boolean" ? "" : some === undefined ? " -r" : ` -x -a ${quote(some.join(" "))}`;
      return `complete -c callsign -n ${quote(seen)} -l ${option}${letter}${value} -d ${quote(meaning)}`;
    });
    return [...beginning, ...values, ...given];
  });
  return `# Completion of callsign for fish: callsign completion fish | source\n${[...new Set(lines)].join("\n")}\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "’")}'`;
}
