-- The access groups that an issuer named at a sign-in. They give no right: what counts is what it says at the time. The
-- last of a person says whether somebody will be able to read what a queue holds.
create table told_groups (
  person varchar not null,
  groups varchar[] not null, -- sorted
  signed_in_at timestamptz not null,
  recorded_at timestamptz not null
);
