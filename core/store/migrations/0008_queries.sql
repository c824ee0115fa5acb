-- Questions that were answered: one row each, for status 200 only, never changed. What else was spent is in spend.

create table query_log (
  request_id varchar not null, -- spend.run_id of every call made for it
  request_uid varchar not null, -- of requests: the answer with its frozen registry
  asked_at timestamptz not null,
  principal varchar not null,
  corpus varchar not null,
  query varchar not null,
  outcome varchar not null,
  served boolean not null, -- whether it is a served answer, for the cost of one
  gate varchar not null,
  generator varchar not null,
  model varchar,
  protocol varchar not null, -- claim protocol, as printed
  registry_sha256 varchar not null,
  claims integer not null,
  attempts integer not null,
  first_event_s double,
  first_content_s double,
  validation_s double not null,
  total_s double not null,
  calls integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_tokens bigint not null,
  cost double -- US dollars; null when the cost of one of the calls is not known
);

-- Answers that were not served, for reviewers, until their time is over; then the row is deleted.
create table quarantine (
  draft_id varchar not null,
  request_id varchar not null,
  asked_at timestamptz not null,
  keep_until timestamptz not null,
  principal varchar not null,
  corpus varchar not null,
  query varchar not null,
  outcome varchar not null,
  reason varchar not null,
  claim_index integer,
  gate varchar not null,
  protocol varchar not null,
  groups varchar[] not null, -- of every source in the registry
  attempts integer not null,
  answer varchar not null, -- JSON: core.models.Answer
  claim_rows varchar not null -- JSON: list of core.models.ClaimRow
);
