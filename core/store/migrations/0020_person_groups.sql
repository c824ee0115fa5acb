-- In which access groups somebody who signs in is; what counts is the last row of a person.
create table person_groups (
  grant_no integer not null,
  person varchar not null,
  groups varchar[] not null, -- sorted; empty: in none, so that they read what is everyone's
  who varchar not null,
  recorded_at timestamptz not null
);
