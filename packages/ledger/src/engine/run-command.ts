/** One command of a submission: its names are resolved, its arguments checked, then it runs. */
import type { AnyDamlType } from "../daml/daml-type.ts";
import { DecodeError } from "../daml/decode-error.ts";
import { ledgerError } from "../errors/ledger-error.ts";
import type { Catalogue, Resolved } from "./catalogue.ts";
import type { Command } from "./command.ts";
import { InterpretationFailure } from "./failure.ts";
import { type Interpretation, instanceOf, needChoice } from "./interpretation.ts";
import type { LiveContract } from "./live-contract.ts";
import type { RunnableChoice, Template } from "./template.ts";

export function runCommand(catalogue: Catalogue, interpretation: Interpretation, command: Command): unknown {
  const resolved = catalogue.resolve(command.value.templateId);
  switch (command.tag) {
    case "Create": {
      const template = needTemplate(resolved, command.value.templateId);
      const payload = decodeAs(template.payload, command.value.payload, "createArguments");
      return interpretation.createFrom(template, payload);
    }
    case "Exercise": {
      const live = interpretation.useFor(command.value.contractId);
      const [choice, interfaceId] = choiceFor(resolved, command.value, live);
      const argument = decodeAs(choice.argument, command.value.argument, "choiceArgument");
      return interpretation.exerciseOn(live, choice, argument, interfaceId);
    }
    case "CreateAndExercise": {
      const { templateId } = command.value;
      const template = needTemplate(resolved, templateId);
      const choice = needChoice(template.choices, command.value.choice, templateId);
      const payload = decodeAs(template.payload, command.value.payload, "createArguments");
      const argument = decodeAs(choice.argument, command.value.argument, "choiceArgument");
      const live = interpretation.useFor(interpretation.createFrom(template, payload));
      return interpretation.exerciseOn(live, choice, argument, null);
    }
  }
}

function choiceFor(
  resolved: Resolved,
  { templateId, choice, contractId }: Extract<Command, { tag: "Exercise" }>["value"],
  live: LiveContract,
): readonly [RunnableChoice, string | null] {
  if (resolved.kind === "interface") {
    const instance = instanceOf(resolved.interface, live);
    return [needChoice(instance.choices, choice, templateId), resolved.interface.id];
  }
  const template = needTemplate(resolved, templateId);
  if (template !== live.template) {
    const actual = live.contract.templateId;
    throw new InterpretationFailure(
      ledgerError(
        "WRONGLY_TYPED_CONTRACT",
        `Contract ${contractId} is a ${actual}, not a ${template.declaration.id}`,
      ),
    );
  }
  return [needChoice(template.choices, choice, templateId), null];
}

function needTemplate(resolved: Resolved, ref: string): Template {
  if (resolved.kind === "template") return resolved.template;
  if (resolved.kind === "interface") {
    throw new InterpretationFailure(
      ledgerError("INVALID_ARGUMENT", `${ref} is an interface; a template is needed here`),
    );
  }
  switch (resolved.reason) {
    case "malformed":
      throw new InterpretationFailure(
        ledgerError(
          "INVALID_ARGUMENT",
          `Invalid identifier format (${ref}) not matching the expected format (<package>:<moduleName>:<entityName>)`,
        ),
      );
    case "package-name":
      throw new InterpretationFailure(
        ledgerError("UNRESOLVED_PACKAGE_NAME", `No package of that name is known: ${ref}`),
      );
    case "package":
      throw new InterpretationFailure(
        ledgerError("PACKAGE_NOT_FOUND", `No package of that id is known: ${ref}`),
      );
    case "entity":
      throw new InterpretationFailure(
        ledgerError("TEMPLATES_OR_INTERFACES_NOT_FOUND", `The package has no template or interface ${ref}`, {
          resources: [["TEMPLATE_ID", ref]],
        }),
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
