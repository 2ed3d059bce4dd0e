/** Decodes the commands of a request, by the types of the templates they name, into the ledger's commands. */
import type { Command as WireCommand } from "@callsign/api";
import {
  type Catalogue,
  type Command,
  DecodeError,
  type JsonValue,
  ledgerJson,
  type Template,
} from "@callsign/ledger";
import { failWith, missingField, needContractId } from "../requests/identifiers.ts";

type Resolved = ReturnType<Catalogue["resolve"]>;
type PayloadType = Template["payload"];

export function decodeCommand(catalogue: Catalogue, command: WireCommand): Command {
  if ("CreateCommand" in command) {
    const { templateId, createArguments } = command.CreateCommand;
    const template = needTemplate(catalogue, templateId);
    const payload = decode(template.payload, createArguments, "createArguments");
    return { tag: "Create", value: { templateId: template.declaration.id, payload } };
  }
  if ("ExerciseCommand" in command) {
    const { templateId, choice, choiceArgument } = command.ExerciseCommand;
    const contractId = needContractId(command.ExerciseCommand.contractId);
    const owner = needOwner(catalogue, templateId);
    const argument = decodeArgument(owner, choice, choiceArgument);
    return { tag: "Exercise", value: { templateId: owner.id, contractId, choice, argument } };
  }
  if ("CreateAndExerciseCommand" in command) {
    const { templateId, createArguments, choice, choiceArgument } = command.CreateAndExerciseCommand;
    const template = needTemplate(catalogue, templateId);
    const payload = decode(template.payload, createArguments, "createArguments");
    const { id } = template.declaration;
    const argument = decodeArgument({ id, choices: template.choices }, choice, choiceArgument);
    return { tag: "CreateAndExercise", value: { templateId: id, payload, choice, argument } };
  }
  const { templateId } = command.ExerciseByKeyCommand;
  return failWith("INVALID_ARGUMENT", `${templateId.slice(0, 300)} has no key: exercise by contract id`);
}

interface ChoiceOwner {
  readonly id: string;
  readonly choices: ReadonlyMap<string, { readonly argument: PayloadType }>;
}

function needTemplate(catalogue: Catalogue, ref: string): Template {
  const resolved = catalogue.resolve(ref);
  if (resolved.kind === "template") return resolved.template;
  return refuseRef(ref, resolved);
}

/** A template or an interface: both have choices. */
function needOwner(catalogue: Catalogue, ref: string): ChoiceOwner {
  const resolved = catalogue.resolve(ref);
  if (resolved.kind === "template") {
    return { id: resolved.template.declaration.id, choices: resolved.template.choices };
  }
  if (resolved.kind === "interface") {
    const { id, choices } = resolved.interface;
    const all = new Map<string, { readonly argument: PayloadType }>(Object.entries(choices));
    return { id, choices: all.set("Archive", archive(catalogue)) };
  }
  return refuseRef(ref, resolved);
}

/** Every template has the same choice Archive. */
function archive({ packages }: Catalogue): { readonly argument: PayloadType } {
  for (const { templates } of packages) {
    const choice = templates[0]?.choices.get("Archive");
    if (choice !== undefined) return choice;
  }
  throw new Error("no template is known");
}

function decodeArgument({ id, choices }: ChoiceOwner, name: string, given: JsonValue): unknown {
  if (name === "") throw missingField("choice");
  const choice = choices.get(name);
  if (choice === undefined) {
    return failWith("COMMAND_PREPROCESSING_FAILED", `${id} has no choice "${name.slice(0, 200)}"`);
  }
  return decode(choice.argument, given ?? {}, "choiceArgument");
}

/** Converts the API's JSON to the canonical data of entries. */
function decode(type: PayloadType, given: JsonValue, what: string): unknown {
  try {
    return JSON.parse(type.encode(type.fromJson(given, ledgerJson)));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return refuseValue(error, what);
  }
}

function refuseValue({ problem, path, reason }: DecodeError, what: string): never {
  const cause = `${reason} at '${path === "" ? what : `${what}.${path}`}'`;
  switch (problem) {
    case "missing-field":
      return failWith("COMMAND_PREPROCESSING_FAILED", cause);
    case "malformed-text":
      return failWith("MALFORMED_TEXT", cause);
    case "unexpected-field":
    case "invalid":
      return failWith("INVALID_ARGUMENT", cause);
  }
}

function refuseRef(ref: string, resolved: Resolved): never {
  const given = ref.slice(0, 300);
  const reason = resolved.kind === "unknown" ? resolved.reason : "interface";
  switch (reason) {
    case "interface":
      return failWith("INVALID_ARGUMENT", `${given} is an interface; a template is needed here`);
    case "malformed":
      return failWith("INVALID_ARGUMENT", `The identifier ${given} is not valid`);
    case "package-name":
      return failWith("JSON_API_PACKAGE_SELECTION_FAILED", `No package of that name is known: ${given}`);
    case "package":
      return failWith("PACKAGE_NOT_FOUND", `No package of that id is known: ${given}`, {
        resources: [["PACKAGE", given]],
      });
    case "entity":
      return failWith(
        "TEMPLATES_OR_INTERFACES_NOT_FOUND",
        `The package has no template or interface ${given}`,
        {
          resources: [["TEMPLATE_ID", given]],
        },
      );
  }
}
