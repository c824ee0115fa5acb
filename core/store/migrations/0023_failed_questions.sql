-- Questions that got no answer: how long they took and what they cost. Nothing of question or answer is in here; a row
-- of query_log there is only for status 200.

create table failed_questions (
  request_id varchar not null, -- spend.run_id of every call made for it
  asked_at timestamptz not null,
  outcome varchar not null,
  status integer not null,
  generator varchar not null,
  model varchar,
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
