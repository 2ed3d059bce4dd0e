import { useContext, useEffect, useEffectEvent } from "react";
import { ComboBox, ComboBoxStateContext } from "react-aria-components/ComboBox";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { FieldBody, type FieldProps, fieldClass } from "./field.tsx";
import "./suggest-field.css";

export interface Suggestion {
  /** The text of the field once the suggestion is chosen. */
  readonly value: string;
  /** A text below the value, in small letters. */
  readonly note: string;
}

export interface SuggestFieldProps
  extends Pick<FieldProps, "label" | "value" | "onChange" | "hint" | "problem" | "id" | "autoFocus"> {
  readonly suggestions: readonly Suggestion[];
}

/** A text field with a list of suggestions below it. The user chooses one by pointer or arrow keys, or types anything else. */
export function SuggestField(props: SuggestFieldProps) {
  const { value, onChange, problem = null, suggestions } = props;
  const found = suggestions.map((each) => each.value).join("\n");
  return (
    <ComboBox
      className={fieldClass()}
      items={suggestions}
      inputValue={value}
      onInputChange={onChange}
      allowsCustomValue
      menuTrigger="input"
      isInvalid={problem !== null}
      autoFocus={props.autoFocus ?? false}
    >
      <FieldBody {...props} problem={problem} />
      {found === "" ? null : <OpenedList key={found} />}
      <Popover className="suggestions" offset={6} isNonModal>
        <ListBox<Suggestion> className="suggestion-list">
          {(suggestion) => (
            <ListBoxItem id={suggestion.value} textValue={suggestion.value} className="suggestion">
              <span>{suggestion.value}</span>
              <span className="suggestion-note">{suggestion.note}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** The list opens by itself while the user types. Suggestions that come later than the letter mount this, which opens it. */
function OpenedList() {
  const state = useContext(ComboBoxStateContext);
  const open = useEffectEvent(() => {
    // To open it again would take the choice away that the user is about to make.
    if (state?.isFocused === true && !state.isOpen) state.open(null, "input");
  });
  useEffect(() => open(), []);
  return null;
}
