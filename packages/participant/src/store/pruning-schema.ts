/** Tables for pruning: up to where the ledger was pruned, and what the participant was told over its admin API. */
export const pruningSchema = `
  create table if not exists pruned_position (
    singleton bigint primary key,
    ledger_offset bigint not null,
    record_time bigint not null
  );
  create table if not exists participant_setting (
    setting text primary key,
    setting_value text not null
  );
`;
