-- What was found out about works outside the registries, what people supplied of them, and which verdicts stand on it.
-- Rows are only ever added.

create table reference_findings (
  finding_no integer not null,
  finding_sha256 varchar not null, -- over the finding with its text, but not over whether it came from the cache
  kind varchar not null,
  identifier varchar not null,
  text_no integer, -- what was read; null when nothing was
  finding varchar not null, -- JSON: core.references.ReferenceFinding without the text
  who varchar, -- who wanted to know; null for a run
  recorded_at timestamptz not null
);

create table supplied_passages (
  passage_id varchar not null,
  kind varchar not null,
  identifier varchar not null,
  text_no integer not null,
  locator varchar not null,
  is_whole boolean not null,
  who varchar not null,
  recorded_at timestamptz not null
);

create table verdict_references (
  verdict_no integer not null,
  cite varchar not null,
  kind varchar not null,
  identifier varchar not null,
  finding_no integer, -- null when a supplied passage was used
  text_no integer, -- what the citation was judged on; null when there was nothing to read
  entry varchar -- JSON: core.models.Evidence without the text
);
