/** Choices that outlive the page, such as its language. A browser may refuse to keep them. */

const PREFIX = "callsign.";

export function readPreference(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** Null forgets the choice. */
export function keepPreference(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // The choice then holds until the page closes.
  }
}
