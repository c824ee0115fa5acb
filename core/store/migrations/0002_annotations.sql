-- Citations that a log attaches to the answer by position: JSON; null when there are none.
alter table requests add column annotations varchar;
