/**
 * A command before it runs: its names are resolved and its arguments checked, without a look at any contract.
 * All commands of a submission are prepared before the first one runs.
 */
import type { AnyDamlType } from "../daml/daml-type.ts";
import { DecodeError } from "../daml/decode-error.ts";
import { ledgerError } from "../errors/ledger-error.ts";
import { show } from "../values/parsed.ts";
import type { Catalogue, Resolved } from "./catalogue.ts";
import type { Command } from "./command.ts";
import { archiveChoice, type Declaration } from "./declaration.ts";
import { InterpretationFailure } from "./failure.ts";
import type { Interpretation } from "./interpretation.ts";
import type { Template } from "./template.ts";

/** Answers the command's result: the contract id of a create, what the choice returns of an exercise. */
export type PreparedCommand = (interpretation: Interpretation) => unknown;

export function prepareCommand(catalogue: Catalogue, command: Command): PreparedCommand {
  const resolved = catalogue.resolve(command.value.templateId);
  switch (command.tag) {
    case "Create": {
      const template = needTemplate(resolved, command.value.templateId);
      const payload = decodeAs(template.payload, command.value.payload, "createArguments");
      return (interpretation) => interpretation.createFrom(template, payload);
    }
    case "Exercise":
      return prepareExercise(resolved, command.value);
    case "CreateAndExercise": {
      const { templateId, choice } = command.value;
      const template = needTemplate(resolved, templateId);
      const { declaration } = template;
      const payload = decodeAs(template.payload, command.value.payload, "createArguments");
      const argument = decodeArgument(declaration, command.value);
      return (interpretation) =>
        interpretation.exercise(declaration, interpretation.createFrom(template, payload), choice, argument);
    }
  }
}

function prepareExercise(
  resolved: Resolved,
  command: Extract<Command, { tag: "Exercise" }>["value"],
): PreparedCommand {
  const { contractId, choice } = command;
  if (resolved.kind === "interface") {
    const declaration = resolved.interface;
    const argument = decodeArgument(declaration, command);
    return (interpretation) => interpretation.exerciseInterface(declaration, contractId, choice, argument);
  }
  const { declaration } = needTemplate(resolved, command.templateId);
  const argument = decodeArgument(declaration, command);
  return (interpretation) => interpretation.exercise(declaration, contractId, choice, argument);
}

function decodeArgument(
  { choices }: Declaration,
  { templateId, choice: name, argument }: { templateId: string; choice: string; argument: unknown },
): unknown {
  const declared = Object.hasOwn(choices, name) ? choices[name] : undefined;
  const choice = name === "Archive" ? archiveChoice : declared;
  if (choice === undefined) {
    const cause = `${templateId} has no choice ${show(name)}`;
    throw new InterpretationFailure(ledgerError("COMMAND_PREPROCESSING_FAILED", cause));
  }
  return decodeAs(choice.argument, argument, "choiceArgument");
}

function needTemplate(resolved: Resolved, ref: string): Template {
  if (resolved.kind === "template") return resolved.template;
  if (resolved.kind === "interface") {
    throw new InterpretationFailure(
      ledgerError("INVALID_ARGUMENT", `${shortened(ref)} is an interface; a template is needed here`),
    );
  }
  switch (resolved.reason) {
    case "malformed":
      throw new InterpretationFailure(
        ledgerError(
          "INVALID_ARGUMENT",
          `Invalid identifier format (${shortened(ref)}) not matching the expected format (<package>:<moduleName>:<entityName>)`,
        ),
      );
    case "package-name":
      throw new InterpretationFailure(
        ledgerError("UNRESOLVED_PACKAGE_NAME", `No package of that name is known: ${shortened(ref)}`),
      );
    case "package":
      throw new InterpretationFailure(
        ledgerError("PACKAGE_NOT_FOUND", `No package of that id is known: ${shortened(ref)}`),
      );
    case "entity":
      throw new InterpretationFailure(
        ledgerError(
          "TEMPLATES_OR_INTERFACES_NOT_FOUND",
          `The package has no template or interface ${shortened(ref)}`,
          {
            resources: [["TEMPLATE_ID", ref]],
          },
        ),
      );
  }
}

function decodeAs(type: AnyDamlType, data: unknown, what: string): unknown {
  try {
    return type.decode(data);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const path = error.path === "" ? what : `${what}.${error.path}`;
    const code = error.problem === "malformed-text" ? "MALFORMED_TEXT" : "COMMAND_PREPROCESSING_FAILED";
    throw new InterpretationFailure(ledgerError(code, `${error.reason} at '${path}'`), { cause: error });
  }
}

/** A reference as it was given, cut off where it is longer than any real one. */
function shortened(ref: string): string {
  return ref.length > 300 ? `${ref.slice(0, 300)}…` : ref;
}
