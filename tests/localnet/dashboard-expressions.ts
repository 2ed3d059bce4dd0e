/**
 * Expressions in the metric names and labels that Splice's Grafana dashboards ask for, by dashboard. Histograms are native.
 * Label filters that only choose among nodes are left out, and so are dashboards about Kubernetes, JVMs and CometBFT.
 */
const RATE = "[30s]";

/** Average of a histogram; newer servers have `histogram_avg` for it. */
function average(histogram: string): string {
  return `histogram_sum(rate(${histogram}${RATE})) / (histogram_count(rate(${histogram}${RATE})) > 0)`;
}

function quantile(fraction: number, histogram: string): string {
  return `histogram_quantile(${fraction}, sum by (job) (rate(${histogram}${RATE})))`;
}

export const DASHBOARD_EXPRESSIONS: Readonly<Record<string, readonly string[]>> = {
  automations: [
    `histogram_quantile(0.95, sum by (node_type) (rate(splice_trigger_latency_duration_seconds{node_type="sv", trigger_type="taskbased"}${RATE})))`,
    `rate(splice_trigger_completed_total{node_type=~"sv|validator", outcome=~"success|failure"}${RATE}) > 0`,
    `sum by (trigger_name) (histogram_count(rate(splice_trigger_latency_duration_seconds{node_type="sv", trigger_type="taskbased"}${RATE}))) > 0`,
    `sum(histogram_sum(rate(splice_trigger_latency_duration_seconds{node_type="validator", trigger_type="polling"}${RATE})))`,
    `sum by (trigger_name, instance, node_type, trigger_type, outcome) (rate(splice_trigger_completed_total{trigger_type="polling"}${RATE}))`,
    `sum(rate(splice_trigger_attempted_total{isDsoDelegateTrigger=~"true|false", statusCode="OK"}${RATE}))`,
    `sum by (errorCodeId, node_type, trigger_name) (rate(splice_trigger_attempted_total{contentionFailure="false"}${RATE}))`,
    `sum by (trigger_name) (rate(splice_trigger_iterations_total${RATE})) > 0`,
  ],
  catchup: [
    `daml_sequencer_block_height{component="sequencer"} > 0`,
    "rate((daml_sequencer_block_height > 0)[30s:1s])",
    `min by (namespace, job) (daml_sequencer_block_delay{component="sequencer"})`,
    `max by (namespace, job) (delta(daml_sequencer_block_delay{component="sequencer"}${RATE})) / 5`,
    `sum by (namespace, job) (rate(daml_sequencer_block_events_total${RATE})) > 0`,
    `max by (namespace) (timestamp(daml_sequencer_client_handler_last_sequencing_time_micros{component="participant"}) - ((daml_sequencer_client_handler_last_sequencing_time_micros{component="participant"} > 0) / 1e6))`,
  ],
  "global-sync-utilization": [
    `sum by (namespace, migration_id) (rate(daml_mediator_requests_total${RATE})) > 0`,
    `sum by (namespace, migration_id) (increase(daml_mediator_approved_requests_total${RATE})) > 0`,
    `1 - sum by (namespace) (rate(daml_mediator_approved_requests_total${RATE})) / sum by (namespace) (rate(daml_mediator_requests_total${RATE}))`,
    `sum(increase(daml_mediator_approved_requests_total${RATE})) by (namespace) - sum(increase(splice_history_updates_transactions_total${RATE})) by (namespace)`,
  ],
  "mining-rounds": [
    "max by (namespace) (splice_sv_dso_store_latest_open_mining_round)",
    "max by (namespace) (splice_sv_dso_store_latest_issuing_mining_round)",
  ],
  onboarded_parties: [
    "splice_synchronizer_topology_num_parties > 0",
    `splice_synchronizer_topology_num_parties_per_participant{participant_id=~"PAR::.*"} > 0`,
  ],
  "sequencer-submissions-amplifications": [
    `sum by (namespace) (histogram_count(rate(daml_sequencer_client_submissions_sends_duration_seconds${RATE}))) > 0`,
    `sum by (namespace, container) (rate(daml_sequencer_client_submissions_no_connection_available_total${RATE}))`,
    `sum by (namespace, container) (rate(daml_sequencer_client_submissions_amplified_attempts_total${RATE}))`,
  ],
  "synchronizer-fees-sv": [
    `sum by (member) (daml_sequencer_traffic_control_extra_traffic_purchased{member=~"PAR::.*"})`,
    `sum by (member) (daml_sequencer_traffic_control_extra_traffic_consumed{member=~"PAR::.*"})`,
    `sum by (member) (daml_sequencer_traffic_control_base_traffic_remainder{member=~"(PAR|MED)::.*"})`,
    `sum by (type) (rate(daml_sequencer_traffic_control_event_delivered_cost_total${RATE})) > 0`,
    `sum by (member) (delta(daml_sequencer_traffic_control_extra_traffic_purchased{member=~"PAR::.*"}${RATE}))`,
  ],
  "synchronizer-fees-validator": [
    `sum by (type) (rate(daml_sequencer_client_traffic_control_submitted_event_cost_total${RATE})) > 0`,
    `sum by (type) (rate(daml_sequencer_client_traffic_control_event_delivered_cost_total{type="send-confirmation-request"}${RATE})) > 0`,
    `sum by (type) (rate(daml_sequencer_client_submissions_dropped${RATE}))`,
    `sum by (type) (rate(daml_sequencer_client_submissions_overloaded${RATE}))`,
    `sum by (type) (rate(daml_sequencer_client_submissions_in_flight${RATE}))`,
  ],
  validator_licenses: [
    "count by (version) (topk by (validator_party) (1, splice_validator_last_active_at_us))",
    "max by (version, contact_point, validator_party) (splice_validator_last_active_at_us) / 1000 > 0",
  ],
  "lsu-status": ["count(max by (namespace, job, member) (daml_sequencer_public_api_handshakes_total) > 0)"],
  "node-health": [
    `daml_health_status{component="participant"} == 1`,
    `daml_health_status{component="validator"} == 1`,
  ],
  "participant-pruning": ["min by (namespace, job) (daml_pruning_max_event_age)"],
  participant: [
    `daml_participant_api_commands_max_in_flight_length{component="participant"}`,
    `daml_sequencer_client_handler_actual_in_flight_event_batches{component="participant"}`,
    `daml_sequencer_client_handler_max_in_flight_event_batches{component="participant"}`,
    `daml_sequencer_client_handler_delay_per_connection{component="participant"}`,
    `rate(daml_sequencer_client_handler_sequencer_events{component="participant"}${RATE}) > 0`,
    `sum by (synchronizer, type, namespace, job, node) (daml_sequencer_client_submissions_in_flight{component="participant"})`,
  ],
  "sequencer-client": [
    "daml_sequencer_client_handler_delay",
    quantile(0.95, "daml_sequencer_client_submissions_sequencing_duration_seconds"),
  ],
  "sequencer-connection-pool": [
    "max by (connection, namespace, job) (daml_sequencer_client_sequencer_connection_pool_connection_health) == 1",
    "max by (connection, namespace, job) (daml_sequencer_client_sequencer_connection_pool_subscription_health) == 1",
    "max by (namespace, job) (daml_sequencer_client_sequencer_connection_pool_active_subscriptions) == 4",
    "max by (namespace, job) (daml_sequencer_client_sequencer_connection_pool_subscription_threshold) == 3",
    "max by (namespace, job) (daml_sequencer_client_sequencer_connection_pool_trust_threshold) == 3",
    "max by (namespace, job) (daml_sequencer_client_sequencer_connection_pool_validated_connections) == 4",
    "max by (namespace, job) (daml_sequencer_client_sequencer_connection_pool_tracked_connections) == 4",
  ],
  sequencer_messages: [
    `sort_desc(sum(delta(daml_sequencer_block_events_total{type="send-confirmation-request"}${RATE})) by (member)) > 0`,
    `sum(rate(daml_sequencer_block_events_total{member=~"PAR::.*"}${RATE})) by (member) > 0`,
    `sum by (type) (increase(daml_sequencer_block_event_bytes_total${RATE})) / (sum by (type) (increase(daml_sequencer_block_events_total${RATE})) > 0)`,
    `sum(rate(daml_sequencer_block_event_bytes_total${RATE})) > 0`,
  ],
  sequencer_topology_transactions: [
    `sum by (type) (rate(daml_sequencer_block_events_total{type=~"send-topology|send-time-proof"}${RATE}))`,
  ],
  sequencer_subscriptions: [
    "daml_sequencer_public_api_subscriptions",
    "daml_sequencer_last_timestamp - daml_sequencer_head_timestamp",
  ],
  executor: [
    quantile(0.95, "daml_db_commit_duration_seconds"),
    quantile(0.95, "daml_db_exec_duration_seconds"),
    quantile(0.95, "daml_db_query_duration_seconds"),
  ],
  caches: [
    `sum by (cache, namespace, job) (daml_cache_size{cache=~".+"})`,
    `sum by (cache, namespace, job) (rate(daml_cache_misses${RATE})) > 0`,
    `sum by (cache, namespace, job) (rate(daml_cache_hits${RATE}))`,
    "rate(daml_cache_evictions[5m])",
  ],
  http: [
    `daml_http_requests_inflight{http_service=~".+", operation=~".+"}`,
    `histogram_count(rate(daml_http_requests_duration_seconds{http_service="scan", status_code=~"2.*"}${RATE})) > 0`,
    `histogram_count(rate(daml_http_requests_duration_seconds{http_service=~".+", status_code!~"2.*"}${RATE})) > 0`,
    `histogram_quantile(0.99, rate(daml_http_requests_duration_seconds{http_service="walletInternal", operation="tap"}${RATE})) > 0`,
  ],
  http_client: [
    `daml_http_client_requests_inflight{http_client="scan"}`,
    `histogram_count(rate(daml_http_client_requests_duration_seconds{operation=~".+", status_code=~"2.*"}${RATE})) > 0`,
    quantile(0.9, "daml_http_client_requests_duration_seconds"),
  ],
  rate_limiters: [
    "splice_rate_limiting_max_limit_per_second",
    `sum(increase(splice_rate_limiting_total{http_service=~".+", limiter=~".+"}${RATE})) by (result)`,
  ],
  "acs-size": [
    `sum by (namespace, store_name, store_party) (splice_store_acs_size{store_name=~"replica|participant|wallet"}) > 0`,
  ],
  "mediator-verdicts-ingestion": [
    "(timestamp(splice_scan_verdict_ingestion_last_record_time_us) - (splice_scan_verdict_ingestion_last_record_time_us > 0) / 1e6)",
    average("splice_scan_verdict_ingestion_batch_size"),
    quantile(0.99, "splice_scan_verdict_ingestion_latency_duration_seconds"),
    `rate(splice_scan_verdict_ingestion_count_total${RATE}) > 0`,
  ],
  "store-ingestion": [
    "(timestamp(splice_store_last_ingested_record_time_ms) - (splice_store_last_ingested_record_time_ms > 0) / 1e3)",
    `splice_store_last_seen_record_time_ms{store_name=~".+"} > 0`,
    average("splice_store_batch_ingestion_latency_duration_seconds"),
    `histogram_quantile(0.99, sum by (le, namespace, job, store_name) (rate(splice_store_ingestion_batch_size${RATE}))) > 0`,
    `rate(splice_store_event_count{event_type="created"}${RATE}) > 0`,
    `rate(splice_store_event_count{event_type="archived"}${RATE}) > 0`,
  ],
  "update-history-ingestion": [
    average("splice_history_updates_latency_duration_seconds"),
    `rate(splice_history_updates_event_count{event_type="created"}${RATE}) > 0`,
    `rate(splice_history_updates_event_count{event_type="exercised"}${RATE}) > 0`,
    "splice_history_updates_latest_record_time / 1000 > 0",
  ],
};
