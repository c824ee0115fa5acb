-- Labelling in queues. Rows are only ever added, but for drafts, which are what a person is writing right now.

alter table label_events add column queue_id varchar;
alter table label_events add column sub_reason varchar;
alter table label_events add column confidence tinyint; -- 1 to 3
alter table label_events add column better varchar; -- JSON: the stretches that are better evidence; null when there are none
alter table label_events add column after_reveal boolean default false; -- the person had seen a judge's word on this claim
alter table label_events add column identity varchar default 'chosen'; -- "chosen": a name nobody has checked; else who vouched
alter table label_events add column active_ms integer; -- how long the claim was looked at, without idle time
alter table label_events add column decided_at timestamptz; -- by the clock of the browser, which may be wrong

-- The definitions that labels are given under; a version is never rewritten.
create table guidelines (
  guideline varchar not null, -- v1, v2, …
  text varchar not null, -- Markdown
  sha256 varchar not null,
  who varchar not null,
  recorded_at timestamptz not null
);

create table queues (
  queue_no integer not null,
  queue_id varchar not null, -- 16 hex
  name varchar not null,
  spec varchar not null, -- JSON of QueueSpec
  guideline varchar not null,
  overlap integer not null, -- labellers wanted a claim
  feeds_rates boolean not null, -- false: for exploration only, its labels are never part of a rate
  who varchar not null,
  recorded_at timestamptz not null
);

create table queue_events (
  event_no integer not null,
  queue_no integer not null,
  kind varchar not null, -- closed, opened, renamed
  value varchar,
  who varchar not null,
  recorded_at timestamptz not null
);

-- A draw adds claims to a queue, or gives those in it the probability that they have now.
create table queue_draws (
  draw_no integer not null,
  queue_no integer not null,
  population integer not null, -- claims that the filter held when it was made
  newest integer not null, -- the highest claim_no there was: what came later is drawn from on its own
  strata varchar not null, -- JSON: stratum → [claims in it, claims drawn so far]
  who varchar not null,
  recorded_at timestamptz not null
);

create table queue_items (
  draw_no integer not null,
  queue_no integer not null,
  claim_no integer not null,
  place ubigint not null, -- the order in which claims are given out; says nothing of the claim
  probability double not null, -- of being drawn, under the design, in (0, 1]
  stratum varchar not null,
  wanted integer not null, -- labellers, of this claim
  check_label varchar -- JSON by cite: the known labels of a check item; null for all others
);

create view current_queue_items as
select * from queue_items qualify row_number() over (partition by queue_no, claim_no order by draw_no desc) = 1;

-- A claim is somebody's for a while; what counts is what they labelled, never this.
create table leases (
  lease_no integer not null,
  queue_no integer not null,
  claim_no integer not null,
  labeller varchar not null,
  after_event integer not null, -- the last event_no of label_events then: a skip after it lets go of the claim
  taken_at timestamptz not null,
  until timestamptz not null -- the last row of a queue, claim and labeller counts; giving back sets it to that moment
);

create table label_drafts (
  span_no integer not null,
  labeller varchar not null,
  queue_id varchar,
  draft varchar not null, -- JSON: note, sub_reason, confidence, better
  recorded_at timestamptz not null
);

-- Who was shown what a judge said of a claim, and when: a label that comes after it is not a blind one.
create table reveals (
  reveal_no integer not null,
  claim_no integer not null,
  person varchar not null,
  place varchar not null, -- label page, review, …
  recorded_at timestamptz not null
);

-- What somebody decided where labellers differ.
create table adjudications (
  adjudication_no integer not null,
  event_id varchar not null,
  span_no integer not null,
  queue_id varchar,
  label varchar, -- null: not a checkable claim
  rationale varchar not null,
  labels_seen varchar[] not null, -- event ids of label_events, in the order in which they were shown
  adjudicator varchar not null,
  identity varchar not null,
  guideline varchar not null,
  seen_sha256 varchar not null,
  undoes varchar, -- the event_id of an adjudication that this one takes back; then label is null and rationale says why
  recorded_at timestamptz not null
);

-- The last decision per span and guideline that was not taken back.
create view standing_adjudications as
select a.*
from adjudications a
anti join (select undoes as event_id from adjudications where undoes is not null) undone using (event_id)
where a.undoes is null
qualify row_number() over (partition by span_no, guideline order by adjudication_no desc) = 1;

-- Labels of whole claims that came from elsewhere.
create table claim_gold (
  gold_no integer not null,
  event_id varchar not null,
  claim_no integer not null,
  label varchar not null, -- one of the nine, or not_supported
  labeller varchar not null,
  guideline varchar not null,
  origin varchar not null, -- the file's name
  origin_sha256 varchar not null,
  probability double, -- of being drawn, in (0, 1]; 1 for a complete census; null when nobody knows
  design varchar not null,
  seen_sha256 varchar not null, -- over the claim's text and its cited texts
  recorded_at timestamptz not null
);

-- A person's role; what counts is the last row.
create table roles (
  role_no integer not null,
  person varchar not null,
  role varchar not null, -- labeller, reviewer, admin
  who varchar not null,
  recorded_at timestamptz not null
);

-- Who signed in, by issuer and subject, and the name that is theirs for good.
create table people (
  person varchar not null,
  issuer varchar not null,
  subject varchar not null,
  recorded_at timestamptz not null
);

-- What was done, in order, each entry bound to the one before it.
create table audit (
  entry_no bigint not null,
  done_at timestamptz not null,
  person varchar not null,
  act varchar not null,
  subject varchar not null, -- what it was done to: "label_event 4f…", "queue 9c…"
  content_sha256 varchar not null, -- over the rows that the act wrote
  previous varchar not null, -- sha256 of the entry before; 64 zeros for the first
  sha256 varchar not null
);

-- Labels that are older than the chain have no entries; a sum over all of them, made once, here, binds them together.
create view label_sums as
select event_no, ('0x' || left(sha256(concat_ws('|', event_no, event_id, kind, span_no, labeller, coalesce(label, ''),
  note, reason, coalesce(undoes, ''), guideline, seen_sha256, epoch_us(recorded_at))), 15))::hugeint as part
from label_events;

create table audit_begins as
select coalesce(max(event_no), 0) as label_events, coalesce(sum(part), 0)::varchar as content from label_sums;

create view audit_begins_now as
select coalesce(sum(part), 0)::varchar as content
from label_sums where event_no <= (select label_events from audit_begins);

create or replace view standing_labels as
select e.*
from label_events e
anti join (select undoes as event_id from label_events where undoes is not null) undone using (event_id)
anti join withdrawn_spans using (span_no)
where e.kind <> 'undo';

-- The last label or skip per span, labeller and guideline; a flag changes neither.
create or replace view current_labels as
select *
from standing_labels
where kind <> 'flag'
qualify row_number() over (partition by span_no, labeller, guideline order by event_no desc) = 1;
