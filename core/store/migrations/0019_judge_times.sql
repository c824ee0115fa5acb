-- How long judges took, beside what they cost (spend): one row for each batch of answers that a run recorded.

create table judge_times (
  time_id varchar not null,
  run_id varchar not null, -- of runs
  judged integer not null, -- spans
  cached integer not null, -- spans whose judgement was kept from an earlier run
  seconds double not null, -- by the clock, over all spans that were judged
  recorded_at timestamptz not null
);
