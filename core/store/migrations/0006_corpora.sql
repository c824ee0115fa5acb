-- Documents are texts, kept for ever; a source is a document at one version of one place in one corpus. Whether a source
-- is in use, for whom and how long is said by events, of which the last of a kind counts.

create table documents (
  doc_no integer not null,
  doc_id varchar not null,
  sha256 varchar not null, -- over the pages' texts
  media varchar not null,
  pages integer not null,
  characters bigint not null,
  unread integer[] not null, -- pages without text
  notes varchar not null, -- JSON
  recorded_at timestamptz not null
);

create table document_pages (
  doc_no integer not null,
  page integer not null, -- from 1
  text varchar not null,
  notes varchar not null, -- JSON
  width double,
  height double,
  boxes blob -- zlib of little-endian float32, four a code point
);

create table chunks (
  chunk_no integer not null,
  doc_no integer not null,
  page integer not null,
  first_char integer not null,
  end_char integer not null,
  section varchar,
  paragraph integer not null,
  text varchar not null -- that stretch of the page
);

-- The chunks of a document under some rules and size; the last cutting of a document is the one in use.
create table cuttings (
  cutting_no integer not null,
  doc_no integer not null,
  chunker varchar not null,
  chunk_nos integer[] not null,
  recorded_at timestamptz not null
);

create table sources (
  source_no integer not null,
  corpus varchar not null,
  uri varchar not null,
  version integer not null, -- from 1, within corpus and uri
  doc_no integer not null,
  title varchar,
  file_sha256 varchar not null,
  added_at timestamptz not null
);

create table source_events (
  event_no integer not null,
  source_no integer not null,
  kind varchar not null, -- stood, superseded, activated, deactivated, retained, allowed
  groups varchar[], -- allowed: to whom; none means everyone
  until timestamptz, -- retained: from when it is withheld; null means never
  who varchar not null,
  recorded_at timestamptz not null
);

create view current_cuttings as
select * from cuttings qualify row_number() over (partition by doc_no order by cutting_no desc) = 1;

create view source_states as
select source_no,
  arg_max(kind, event_no) filter (kind in ('stood', 'superseded', 'activated')) = 'superseded' as superseded,
  coalesce(arg_max(kind, event_no) filter (kind in ('activated', 'deactivated')) = 'deactivated', false)
    as deactivated,
  coalesce(arg_max(groups, event_no) filter (kind = 'allowed'), []) as groups,
  arg_max_null(until, event_no) filter (kind = 'retained') as retain_until,
  max(event_no) filter (kind = 'stood') as stood
from source_events
group by source_no;

create view current_sources as
select s.*, d.doc_id, d.sha256, d.media, d.pages, d.characters, d.unread, d.notes, e.superseded, e.deactivated, e.groups,
  e.retain_until, e.stood
from sources s join documents d using (doc_no) join source_states e using (source_no);
