import { type ReactNode, useEffect, useId, useRef } from "react";
import { ActionButton } from "../design/action.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useWords } from "../words/words.ts";
import "./confirm-dialog.css";

/** Asks before something that cannot be taken back. The browser's own dialog keeps the focus inside, and Escape closes it. */
export function ConfirmDialog({
  title,
  children,
  action,
  isPending,
  error,
  onConfirm,
  onClose,
}: {
  readonly title: string;
  readonly children: ReactNode;
  /** On the button that does it. */
  readonly action: string;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const { shell } = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog className="confirm" ref={dialog} aria-labelledby={id} onCancel={onClose} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
      {error === null || error === undefined ? null : <ErrorNotice error={error} />}
      <div className="row">
        <ActionButton kind="danger" onPress={onConfirm} isPending={isPending}>
          {action}
        </ActionButton>
        <ActionButton kind="quiet" onPress={onClose} isDisabled={isPending}>
          {shell.back}
        </ActionButton>
      </div>
    </dialog>
  );
}
