/** What makes two submissions the same command: the user, the command id and the set of acting parties. */
export function commandKey(command: {
  readonly userId: string;
  readonly commandId: string;
  readonly actAs: readonly string[];
}): string {
  return JSON.stringify([command.userId, command.commandId, ...[...new Set(command.actAs)].sort()]);
}
