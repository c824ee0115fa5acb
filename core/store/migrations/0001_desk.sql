-- Facts and events; rows are only ever added. Numbers (…_no) are handed out by the store in order of arrival.

create table texts (
  text_no integer not null,
  sha256 varchar primary key,
  text varchar not null
);

create table requests (
  request_no integer not null,
  request_uid varchar primary key,
  request_id varchar not null,
  query varchar,
  asked_at timestamptz,
  asked_at_as_given varchar, -- with its own offset, so that the record comes back as it went in
  generator_name varchar,
  generator_model varchar,
  answer varchar,
  given_claims varchar, -- JSON; null when the log names none
  meta varchar not null,
  notes varchar not null,
  source varchar not null,
  recorded_at timestamptz not null
);

create table registry_entries (
  request_no integer not null,
  position integer not null,
  cite varchar not null,
  text_no integer not null,
  locator varchar,
  source_version varchar,
  uri varchar,
  title varchar,
  retrieved boolean not null,
  in_context boolean not null,
  active boolean not null,
  accessible boolean not null,
  groups varchar not null,
  meta varchar not null
);

create table claims (
  claim_no integer not null,
  claim_uid varchar primary key,
  request_no integer not null,
  position integer not null, -- from 1, within one splitter's claims of the answer
  splitter varchar not null,
  claim_id varchar not null,
  text varchar not null,
  first_char integer,
  end_char integer,
  fragments varchar not null,
  answer_match varchar not null,
  material boolean not null,
  flags varchar[] not null,
  leaked varchar not null,
  quotes varchar not null,
  notes varchar not null,
  queue_order ubigint not null -- from the md5 of claim_uid: nobody labels the easy ones first
);

-- One claim × cited span, the unit of labelling; a claim without citations has one without a cite.
create table spans (
  span_no integer not null,
  claim_no integer not null,
  position integer not null,
  cite varchar
);

create table protocols (
  protocol_no integer not null,
  sha256 varchar primary key,
  name varchar not null unique,
  protocol varchar not null
);

create table runs (
  run_no integer not null,
  run_id varchar primary key,
  protocol_no integer not null,
  started_at timestamptz not null,
  source varchar not null,
  source_sha256 varchar,
  package_version varchar not null
);

create table batches (
  batch_sha256 varchar primary key,
  run_no integer not null,
  claims integer not null,
  recorded_at timestamptz not null
);

create table claim_verdicts (
  verdict_no integer not null,
  replaces integer, -- the verdict_no that this row took over from, under the same protocol
  claim_no integer not null,
  protocol_no integer not null,
  run_no integer not null,
  row_sha256 varchar not null, -- over the row and its stages
  label varchar,
  structural varchar not null,
  resolve varchar not null,
  quote varchar not null,
  semantic varchar not null,
  material boolean not null,
  attempted boolean not null,
  unsupported_strict boolean not null,
  unsupported_lenient boolean not null,
  flags varchar[] not null,
  why varchar not null,
  source varchar not null,
  row_json varchar not null
);

create table stage_verdicts (
  verdict_no integer not null,
  position integer not null,
  cite varchar,
  stage varchar not null,
  status varchar not null,
  outcome varchar not null,
  reason varchar not null
);

create table label_events (
  event_no integer not null,
  event_id varchar primary key,
  kind varchar not null,
  span_no integer not null,
  labeller varchar not null,
  label varchar,
  note varchar not null,
  reason varchar not null,
  undoes varchar,
  guideline varchar not null,
  seen_sha256 varchar not null,
  recorded_at timestamptz not null
);

create view current_verdicts as
select v.*
from claim_verdicts v
anti join (select replaces as verdict_no from claim_verdicts where replaces is not null) old using (verdict_no);

-- Labels and skips that were not taken back.
create view standing_labels as
select e.*
from label_events e
anti join (select undoes as event_id from label_events where undoes is not null) undone using (event_id)
where e.kind <> 'undo';

-- The last of them per span, labeller and guideline.
create view current_labels as
select *
from standing_labels
qualify row_number() over (partition by span_no, labeller, guideline order by event_no desc) = 1;
