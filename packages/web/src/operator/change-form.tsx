import type { ReactNode } from "react";
import { ActionButton } from "../design/action.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import "./operator.css";

/** Fields above their button, and below it what became of the call. */
export function ChangeForm({
  children,
  button,
  buttonId,
  change,
  isReady = true,
  onSubmit,
  done,
  refusal,
}: {
  readonly children: ReactNode;
  readonly button: string;
  readonly buttonId?: string;
  readonly change: { readonly isPending: boolean; readonly error: unknown };
  /** False as long as a field is missing or wrong. */
  readonly isReady?: boolean;
  readonly onSubmit: () => void;
  /** Shown after a call that succeeded. */
  readonly done: ReactNode;
  /** In place of the error as the server tells it. */
  readonly refusal?: ReactNode;
}) {
  return (
    <>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !change.isPending) onSubmit();
        }}
      >
        {children}
        <div>
          <ActionButton
            type="submit"
            isPending={change.isPending}
            isDisabled={!isReady}
            {...(buttonId === undefined ? {} : { id: buttonId })}
          >
            {button}
          </ActionButton>
        </div>
      </form>
      {done}
      {refusal ?? (change.error === null ? null : <ErrorNotice error={change.error} />)}
    </>
  );
}
