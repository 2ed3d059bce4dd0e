/**
 * The participant's first tables; later migrations change some of them. Every offset of its stream is a row of `stream_item`; the
 * other tables of the ledger follow from it and make reads quick. A contract's number is its place in the stream, its offset and its node, so that numbers
 * grow as contracts are created. An active contract has the end of time as its archival. Indexes hold numbers for the
 * names of parties and templates.
 */
export const participantSchema = `
  create table if not exists ledger_position (
    singleton bigint primary key,
    ledger_offset bigint not null,
    digest text not null,
    record_time bigint not null,
    network text,
    synchronizer_id text,
    dso text
  );
  create table if not exists name_number (
    name_number bigint primary key,
    name text not null unique
  );
  create table if not exists stream_item (
    ledger_offset bigint primary key,
    digest text not null,
    record_time bigint not null,
    update_id text,
    body text not null,
    workflow_id text not null
  );
  create unique index if not exists stream_item_update on stream_item (update_id);
  create table if not exists update_witness (
    party_number bigint not null,
    ledger_offset bigint not null,
    primary key (party_number, ledger_offset)
  );
  create table if not exists completion (
    ledger_offset bigint primary key,
    command_key text not null,
    submission_id text not null,
    record_time bigint not null,
    accepted bigint not null
  );
  create index if not exists completion_command on completion (command_key, accepted, ledger_offset);
  create table if not exists user_completion (
    user_id text not null,
    ledger_offset bigint not null,
    submission_id text not null,
    cause text,
    primary key (user_id, ledger_offset)
  );
  create table if not exists submission_note (
    id text primary key,
    workflow_id text not null,
    submission_id text,
    max_record_time bigint not null
  );
  create index if not exists submission_note_time on submission_note (max_record_time);
  create table if not exists submission_note_context (
    id text primary key,
    context text not null
  );
  create table if not exists submission_context (
    ledger_offset bigint primary key,
    context text not null
  );
  create table if not exists contract (
    contract_number bigint primary key,
    contract_id text not null unique,
    template_number bigint not null,
    created_at bigint not null,
    payload text not null,
    signatories text not null,
    observers text not null,
    stakeholders text not null,
    activated bigint not null,
    archived_offset bigint not null,
    archived_node bigint
  );
  create index if not exists contract_of_template
    on contract (template_number, activated, archived_offset, contract_number);
  create index if not exists contract_by_archival on contract (activated, archived_offset, contract_number);
  create table if not exists stakeholder (
    party_number bigint not null,
    template_number bigint not null,
    archived_offset bigint not null,
    contract_number bigint not null,
    primary key (party_number, template_number, archived_offset, contract_number)
  );
  create index if not exists stakeholder_any_template
    on stakeholder (party_number, archived_offset, contract_number);
  create table if not exists party (
    party text primary key,
    is_local bigint not null
  );
  create table if not exists party_record (
    party text primary key,
    identity_provider_id text not null,
    resource_version bigint not null,
    annotations text not null
  );
  create table if not exists party_allocation (
    party text primary key,
    user_id text not null,
    max_record_time bigint not null
  );
  create index if not exists party_allocation_time on party_allocation (max_record_time);
  create table if not exists party_allocation_provider (
    party text primary key,
    identity_provider_id text not null
  );
  create table if not exists participant_user (
    user_id text primary key,
    primary_party text not null,
    is_deactivated bigint not null,
    identity_provider_id text not null,
    primary_party_authentication bigint not null,
    resource_version bigint not null,
    annotations text not null
  );
  create index if not exists participant_user_of_provider on participant_user (identity_provider_id, user_id);
  create table if not exists identity_provider (
    identity_provider_id text primary key,
    is_deactivated bigint not null,
    issuer text not null unique,
    jwks_url text not null,
    audience text not null
  );
  create table if not exists user_right (
    user_id text not null,
    kind text not null,
    party text not null,
    primary key (user_id, kind, party)
  );
  create table if not exists pruned_position (
    singleton bigint primary key,
    ledger_offset bigint not null,
    record_time bigint not null
  );
  create table if not exists participant_setting (
    setting text primary key,
    setting_value text not null
  );
  create table if not exists topology_update (
    ledger_offset bigint primary key,
    update_id text not null unique
  );
  create table if not exists hosting_change (
    party_number bigint not null,
    ledger_offset bigint not null,
    primary key (party_number, ledger_offset)
  );
  create table if not exists party_completion (
    party_number bigint not null,
    ledger_offset bigint not null,
    primary key (party_number, ledger_offset)
  );
  create index if not exists stream_item_transaction on stream_item (ledger_offset) where update_id is not null;
`;
