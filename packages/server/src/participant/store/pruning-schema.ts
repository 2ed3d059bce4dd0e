/** Tables for pruning: up to where the ledger was pruned, and what the admin API set. */
export const pruningSchema = `
  create table if not exists pruned_position (
    singleton bigint primary key,
    ledger_offset bigint not null,
    record_time bigint not null
  );
`;
