import type { ReactNode } from "react";
import { FieldError } from "react-aria-components/FieldError";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { TextArea } from "react-aria-components/TextArea";
import { TextField } from "react-aria-components/TextField";
import "./field.css";

export interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: ReactNode;
  /** A sentence about what is wrong with the value. */
  readonly problem?: string | null;
  readonly placeholder?: string;
  readonly end?: ReactNode;
  readonly inputMode?: "text" | "decimal" | "numeric" | "search" | "url";
  readonly type?: "text" | "search" | "url";
  readonly maxLength?: number;
  readonly isMultiline?: boolean;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
  readonly autoFocus?: boolean;
  readonly id?: string;
  readonly className?: string;
}

export function fieldClass(own?: string): string {
  return own === undefined ? "field" : `field ${own}`;
}

/** A labelled text field, with a hint, a unit or suffix at its end, and its problem below. */
export function Field(props: FieldProps) {
  const { value, onChange, problem = null, className } = props;
  return (
    <TextField
      className={fieldClass(className)}
      value={value}
      onChange={onChange}
      isInvalid={problem !== null}
      isRequired={props.isRequired ?? false}
      isDisabled={props.isDisabled ?? false}
      autoFocus={props.autoFocus ?? false}
      type={props.type ?? "text"}
      {...(props.inputMode === undefined ? {} : { inputMode: props.inputMode })}
      {...(props.maxLength === undefined ? {} : { maxLength: props.maxLength })}
    >
      <FieldBody {...props} problem={problem} />
    </TextField>
  );
}

/** The parts of a field, which take their behaviour from the component around them. */
export function FieldBody({
  label,
  hint,
  problem,
  end,
  placeholder,
  id,
  isMultiline = false,
}: Pick<FieldProps, "label" | "hint" | "end" | "placeholder" | "id" | "isMultiline"> & {
  readonly problem: string | null;
}) {
  const own = {
    spellCheck: isMultiline,
    autoComplete: "off",
    autoCapitalize: "none",
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(id === undefined ? {} : { id }),
  };
  return (
    <>
      <Label>{label}</Label>
      <div className="field-box">
        {isMultiline ? <TextArea {...own} /> : <Input {...own} />}
        {end === undefined ? null : <span className="field-end">{end}</span>}
      </div>
      {hint === undefined ? null : (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-problem">{problem}</FieldError>
    </>
  );
}

/** A choice of few, by the browser's own list. */
export function Choice<V extends string>({
  label,
  value,
  options,
  onChange,
  id,
}: {
  readonly label: string;
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly onChange: (value: V) => void;
  readonly id: string;
}) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-box">
        <select id={id} value={value} onChange={(event) => onChange(event.target.value as V)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
