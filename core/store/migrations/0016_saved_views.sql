-- Failures are grouped and sliced by narrow columns; old rows get theirs from what is stored of them.

alter table claim_verdicts add column differing varchar[]; -- kinds of qualifiers that differ, the weightiest first
alter table claim_verdicts add column cite_count integer; -- different ids that the claim cites
alter table claim_verdicts add column source_date date; -- of the deciding source, where its registry entry says one

update claim_verdicts set
  differing = coalesce(try(list_filter(
    list_concat(
      ['number', 'unit', 'date', 'period', 'sample_size', 'quantifier', 'bound', 'negation', 'population', 'hedge',
        'causality', 'name', 'secondary'],
      list_sort(list_distinct(list_filter(json_extract_string(row_json, '$.qualifiers[*].kind'),
        lambda kind: kind not in ('number', 'unit', 'date', 'period', 'sample_size', 'quantifier', 'bound', 'negation',
          'population', 'hedge', 'causality', 'name', 'secondary'))))),
    lambda kind: list_contains(
      list_transform(
        list_filter(json_extract(row_json, '$.qualifiers[*]'),
          lambda one: json_extract_string(one, '$.agrees') = 'false'),
        lambda one: json_extract_string(one, '$.kind')),
      kind))), []),
  cite_count = coalesce(try(json_array_length(row_json, '$.cites')), 0);

update claim_verdicts set source_date = dated.source_date
from (
  select v.verdict_no, min_by(try_cast(left(e.source_version, 10) as date), e.position) as source_date
  from claim_verdicts v join claims c using (claim_no) join registry_entries e using (request_no)
  where v.source <> '' and v.source = coalesce(e.title, e.locator, e.cite)
    and regexp_matches(e.source_version, '^\d{4}-\d{2}-\d{2}')
  group by 1
) dated
where dated.verdict_no = claim_verdicts.verdict_no;

-- A view knows the columns that its table had when it was made.
create or replace view latest_verdicts as
select v.*
from claim_verdicts v
anti join (select replaces as verdict_no from claim_verdicts where replaces is not null) old using (verdict_no);

create or replace view current_verdicts as
select v.* from latest_verdicts v anti join withdrawn_claims using (claim_no);

-- Named filters of the pages, as events; the last of a view counts.
create table saved_view_events (
  event_no integer not null,
  event_id varchar not null, -- given by whoever says it: said twice, it is one event
  view_id varchar not null, -- 16 hex over page and parameters: the same filter is the same view
  kind varchar not null, -- saved, renamed, deleted
  name varchar,
  page varchar not null,
  params varchar not null, -- JSON: query parameter → value
  who varchar not null,
  recorded_at timestamptz not null
);

create view current_saved_views as
select view_id, arg_max(kind, event_no) as kind, arg_max(name, event_no) filter (name is not null) as name,
  arg_max(page, event_no) as page, arg_max(params, event_no) as params, arg_max(who, event_no) as who,
  max(recorded_at) as changed_at
from saved_view_events
group by view_id
having arg_max(kind, event_no) <> 'deleted';

-- The vector of a claim's text under a model: made when somebody asks for neighbours, once.
create table claim_vectors (
  model varchar not null, -- digest
  claim_no integer not null,
  vector blob not null -- little-endian float32
);

-- A cell of a notebook may be a question to the documented views; current_cells is as in 0010, with that kind.
create or replace view current_cells as
select c.notebook_id, c.cell_id, c.kind, c.text, c.born,
  coalesce(list_position(o.cell_order, c.cell_id), 1000000 + c.born) as place
from (
  select notebook_id, cell_id, min(event_no) as born, arg_min(kind, event_no) as kind,
    arg_max(text, event_no) filter (where text is not null) as text, bool_or(kind = 'deleted') as deleted
  from standing_notebook_events where kind in ('question', 'note', 'sql', 'edited', 'deleted') group by all
) c left join (
  select notebook_id, arg_max(cell_order, event_no) as cell_order
  from standing_notebook_events where cell_order is not null group by all
) o on o.notebook_id = c.notebook_id
where not c.deleted and c.kind in ('question', 'note', 'sql');

create view cell_results as
select notebook_id, cell_id, arg_max(body, event_no) filter (kind = 'ran') as result,
  arg_max(body, event_no) filter (kind = 'charted') as chart, arg_max(who, event_no) filter (kind = 'ran') as who
from notebook_events where kind in ('ran', 'charted') group by all;

-- What analysts may query (docs/views.md). claim_no is what is left out for somebody who may not know a verdict yet; it
-- is in no snapshot.
create view v_requests as
select r.request_uid, r.request_id, r.query as question, r.asked_at, r.generator_name, r.generator_model,
  try(json_extract_string(r.meta, '$.corpus')) as corpus
from standing_requests r;

create view v_claims as
select c.claim_no, c.claim_uid, r.request_uid, r.request_id, c.claim_id, c.text as claim, r.query as question,
  r.asked_at, coalesce(r.generator_model, r.generator_name) as generator,
  try(json_extract_string(r.meta, '$.corpus')) as corpus, c.material, c.flags
from standing_claims c join requests r using (request_no);

create view v_verdicts as
select v.claim_no, c.claim_uid, p.name as protocol, split_part(p.name, '@', 1) as verifier, v.label, v.structural,
  v.resolve, v.quote, v.semantic, v.attempted, v.attempted and v.label is not null and v.label <> 'inaccessible' as judged,
  v.unsupported_strict, v.unsupported_lenient, v.differing, v.cite_count, v.source, v.source_date, v.flags,
  u.started_at as judged_at
from current_verdicts v join claims c using (claim_no) join protocols p using (protocol_no) join runs u using (run_no);

create view v_labels as
select s.claim_no, c.claim_uid, s.cite, e.labeller, e.label, e.guideline, e.recorded_at as labelled_at
from current_labels e join spans s using (span_no) join claims c using (claim_no)
where e.kind = 'label';

create view v_protocols as
select p.name as protocol, split_part(p.name, '@', 1) as verifier, count(*) as claims,
  min(u.started_at) as first_run, max(u.started_at) as last_run
from current_verdicts v join protocols p using (protocol_no) join runs u using (run_no)
group by 1, 2;
