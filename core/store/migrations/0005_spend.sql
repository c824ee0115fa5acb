-- Every attempt at a call of a paid model, also those that failed; the cost as it was computed then, null when unknown.

create table spend (
  call_id varchar primary key,
  run_id varchar, -- of runs, where the run came to record something
  answered_at timestamptz not null,
  model varchar not null,
  purpose varchar not null,
  outcome varchar not null,
  batch boolean not null,
  input_tokens bigint,
  output_tokens bigint,
  cache_read_tokens bigint,
  cache_write_5m_tokens bigint,
  cache_write_1h_tokens bigint,
  cost double, -- US dollars
  priced_on date,
  request_id varchar
);
