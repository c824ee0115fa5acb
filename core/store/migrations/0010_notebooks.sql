-- Notebooks: what was asked and noted, in which order, as events that are never changed; what holds now is a view.

create table notebook_events (
  event_no integer not null,
  event_id varchar not null, -- given by whoever says it: said twice, it is one event
  notebook_id varchar not null,
  kind varchar not null, -- a word of core.notebooks.Kind
  cell_id varchar,
  run_id varchar,
  text varchar, -- a name, a question or a note
  body varchar, -- JSON: core.notebooks.Setup when asked, core.notebooks.RunEnd when ended
  cell_order varchar[], -- the order of all cells from then on
  undoes varchar, -- the event that no longer holds
  who varchar not null,
  recorded_at timestamptz not null
);

create view standing_notebook_events as
select * from notebook_events e
where kind <> 'undone' and not exists (select 1 from notebook_events u where u.undoes = e.event_id);

create view current_cells as
select c.notebook_id, c.cell_id, c.kind, c.text, c.born,
  -- cells that an order does not know came after it, and stand at the end
  coalesce(list_position(o.cell_order, c.cell_id), 1000000 + c.born) as place
from (
  select notebook_id, cell_id, min(event_no) as born, arg_min(kind, event_no) as kind,
    arg_max(text, event_no) filter (where text is not null) as text, bool_or(kind = 'deleted') as deleted
  from standing_notebook_events where kind in ('question', 'note', 'edited', 'deleted') group by all
) c left join (
  select notebook_id, arg_max(cell_order, event_no) as cell_order
  from standing_notebook_events where cell_order is not null group by all
) o on o.notebook_id = c.notebook_id
where not c.deleted and c.kind in ('question', 'note');

create view current_notebooks as
select e.notebook_id, arg_max(e.text, e.event_no) filter (where e.kind in ('created', 'renamed')) as name,
  (select count(*) from current_cells c where c.notebook_id = e.notebook_id) as cells,
  min(e.recorded_at) as created_at, max(e.recorded_at) as changed_at
from standing_notebook_events e group by e.notebook_id;

create view cell_runs as
select notebook_id, cell_id, run_id, min(event_no) as born,
  arg_min(body, event_no) filter (where kind = 'asked') as setup,
  arg_min(body, event_no) filter (where kind = 'ended') as ending,
  min(recorded_at) filter (where kind = 'asked') as asked_at, min(recorded_at) filter (where kind = 'ended') as ended_at
from notebook_events where kind in ('asked', 'ended') group by all
having count(*) filter (where kind = 'asked') > 0;
