let made = 0;

/** A name that no other call in this process gets. */
export function fresh(prefix: string): string {
  made += 1;
  return `${prefix}-${made}`;
}
