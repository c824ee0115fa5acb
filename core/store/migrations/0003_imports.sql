-- An import is one file read in one way; it can be withdrawn and restored. Nothing is deleted: views leave out what only
-- withdrawn imports brought.

create table imports (
  import_no integer not null,
  import_id varchar primary key, -- from the file's sha256, the format and the mapping
  source_sha256 varchar not null,
  format varchar not null,
  mapping varchar not null, -- JSON: our field → column
  recorded_at timestamptz not null
);

create table import_runs (
  import_no integer not null,
  run_no integer not null
);

create table import_requests (
  import_no integer not null,
  request_no integer not null
);

-- One row when a run has read its file to the end.
create table import_outcomes (
  run_no integer primary key,
  answers_read integer not null,
  answers_new integer not null,
  refused integer not null,
  recorded_at timestamptz not null
);

create table refused_rows (
  run_no integer not null,
  position integer not null,
  file varchar not null,
  line integer not null,
  field varchar,
  reason varchar not null
);

create table import_events (
  event_no integer not null,
  import_no integer not null,
  kind varchar not null, -- withdraw or restore
  who varchar not null,
  recorded_at timestamptz not null
);

-- Imports of before: a file is known by its hash, and what it brought by the run that stored it or judged it first.
insert into imports
select row_number() over (order by min(run_no)), substr(sha256('["' || source_sha256 || '","citedesk",{}]'), 1, 16),
  source_sha256, 'citedesk', '{}', min(started_at)
from runs
where source_sha256 is not null
group by source_sha256;

insert into import_runs
select i.import_no, r.run_no from runs r join imports i using (source_sha256);

insert into import_requests
select distinct import_no, request_no
from (
  select max(run_no) as run_no, request_no
  from requests q join runs r on r.source = q.source and r.started_at <= q.recorded_at
  group by request_no
  union
  select v.run_no, c.request_no from claim_verdicts v join claims c using (claim_no)
) join import_runs using (run_no);

create view withdrawn_imports as
select import_no
from (select import_no, arg_max(kind, event_no) as kind from import_events group by import_no)
where kind = 'withdraw';

-- What another import brought as well stays.
create view withdrawn_requests as
select distinct request_no
from import_requests semi join withdrawn_imports using (import_no)
anti join (
  select request_no from import_requests anti join withdrawn_imports using (import_no)
) elsewhere using (request_no);

create view withdrawn_claims as
select claim_no from claims semi join withdrawn_requests using (request_no);

create view withdrawn_spans as
select span_no from spans semi join withdrawn_claims using (claim_no);

create view standing_requests as
select r.* from requests r anti join withdrawn_requests using (request_no);

create view standing_claims as
select c.* from claims c anti join withdrawn_claims using (claim_no);

-- The last word of each protocol on each claim, withdrawn or not: what a new verdict is compared with.
create view latest_verdicts as
select v.*
from claim_verdicts v
anti join (select replaces as verdict_no from claim_verdicts where replaces is not null) old using (verdict_no);

create or replace view current_verdicts as
select v.* from latest_verdicts v anti join withdrawn_claims using (claim_no);

create or replace view standing_labels as
select e.*
from label_events e
anti join (select undoes as event_id from label_events where undoes is not null) undone using (event_id)
anti join withdrawn_spans using (span_no)
where e.kind <> 'undo';
