-- The tables that grow with every answer have no index any more: it would stay in memory whole, and a scan of one column
-- finds a claim nearly as fast. The store keeps them free of duplicates: it looks before it writes, one writer at a time.

create table unkeyed_texts (
  text_no integer not null,
  sha256 varchar not null,
  text varchar not null
);
insert into unkeyed_texts select text_no, sha256, text from texts;
drop table texts;
alter table unkeyed_texts rename to texts;

create table unkeyed_requests (
  request_no integer not null,
  request_uid varchar not null,
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
  recorded_at timestamptz not null,
  annotations varchar -- citations that a log attaches to the answer by position: JSON; null when there are none
);
insert into unkeyed_requests by name select * from requests;
drop table requests;
alter table unkeyed_requests rename to requests;

create table unkeyed_claims (
  claim_no integer not null,
  claim_uid varchar not null,
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
insert into unkeyed_claims by name select * from claims;
drop table claims;
alter table unkeyed_claims rename to claims;
