-- What stands on the time axis of trends beside the rates: days that a person marked, and the claims that every judge
-- judges, so that a change of judge is not taken for a change of what is judged. Rows are only ever added.

create table time_marks (
  mark_no integer not null,
  mark_id varchar not null, -- 16 hex
  day date not null,
  text varchar not null,
  undoes varchar, -- the mark_id of a mark that this row takes back; day and text are those of that mark
  who varchar not null,
  recorded_at timestamptz not null
);

create table anchor_sets (
  anchor_no integer not null, -- the last one counts
  anchor_id varchar not null, -- 16 hex
  seed integer not null,
  who varchar not null,
  recorded_at timestamptz not null
);

create table anchor_claims (
  anchor_no integer not null,
  claim_no integer not null
);
