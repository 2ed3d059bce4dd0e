import type { ReactNode } from "react";
import { Button } from "react-aria-components/Button";
import { Link } from "wouter";
import "./action.css";

type ActionKind = "main" | "quiet" | "plain" | "danger";

export interface ActionButtonProps {
  readonly children: ReactNode;
  readonly onPress?: () => void;
  readonly kind?: ActionKind;
  readonly size?: "normal" | "small";
  readonly type?: "button" | "submit";
  readonly isDisabled?: boolean;
  /** The button stays focusable and says that its work is under way. */
  readonly isPending?: boolean;
  readonly label?: string;
  readonly id?: string;
  /** The id of the element that the button shows and hides. */
  readonly controls?: string;
  readonly isExpanded?: boolean;
  /** Besides the component's own classes. */
  readonly className?: string;
}

export function ActionButton({
  children,
  onPress,
  kind = "main",
  size = "normal",
  type = "button",
  isDisabled = false,
  isPending = false,
  label,
  id,
  controls,
  isExpanded,
  className,
}: ActionButtonProps) {
  return (
    <Button
      className={className === undefined ? "action" : `action ${className}`}
      data-kind={kind}
      data-size={size}
      type={isPending ? "button" : type}
      isDisabled={isDisabled}
      aria-disabled={isPending || isDisabled}
      data-pending={isPending || undefined}
      {...(onPress === undefined || isPending ? {} : { onPress })}
      {...(label === undefined ? {} : { "aria-label": label })}
      {...(id === undefined ? {} : { id })}
      {...(controls === undefined ? {} : { "aria-controls": controls, "aria-expanded": isExpanded ?? false })}
    >
      {children}
    </Button>
  );
}

/** Looks like a button and leads to a page. */
export function ActionLink({
  href,
  children,
  kind = "main",
  size = "normal",
  id,
}: {
  readonly href: string;
  readonly children: ReactNode;
  readonly kind?: ActionKind;
  readonly size?: "normal" | "small";
  readonly id?: string;
}) {
  return (
    <Link
      className="action"
      href={href}
      data-kind={kind}
      data-size={size}
      {...(id === undefined ? {} : { id })}
    >
      {children}
    </Link>
  );
}
