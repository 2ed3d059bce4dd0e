/** Drawn with lines of the text's colour. Screen readers pass them by. */
import type { ReactNode } from "react";

function Icon({ children, size = 16 }: { readonly children: ReactNode; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

export function CopyIcon() {
  return (
    <Icon>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 3.5a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1" />
    </Icon>
  );
}

export function CheckIcon() {
  return (
    <Icon>
      <path d="m3 8.5 3.5 3.5L13 4.5" />
    </Icon>
  );
}

export function LinkIcon() {
  return (
    <Icon>
      <path d="M6.5 9.5a2.5 2.5 0 0 0 3.5 0l3-3A2.5 2.5 0 0 0 9.5 3L8.5 4" />
      <path d="M9.5 6.5a2.5 2.5 0 0 0-3.5 0l-3 3A2.5 2.5 0 0 0 6.5 13l1-1" />
    </Icon>
  );
}

export function MenuIcon({ isOpen }: { readonly isOpen: boolean }) {
  return <Icon size={20}>{isOpen ? <path d="m4 4 8 8m0-8-8 8" /> : <path d="M2.5 5h11m-11 6h11" />}</Icon>;
}

/** Waves that leave a mast: a call sign on the air. */
export function CallsignMark() {
  return (
    <svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true" focusable="false">
      <rect width="26" height="26" rx="7" fill="var(--accent)" />
      <g fill="none" stroke="var(--on-accent)" strokeWidth="1.9" strokeLinecap="round">
        <path d="M13 12.5V20" />
        <path d="M9.6 14.4a4.8 4.8 0 1 1 6.8 0" />
        <path d="M6.9 16.9a8.6 8.6 0 1 1 12.2 0" />
      </g>
      <circle cx="13" cy="11" r="1.7" fill="var(--on-accent)" />
    </svg>
  );
}
