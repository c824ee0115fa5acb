-- Bearer tokens of the HTTP API. Of a secret only its sha256 is here; what becomes of a token is an event, never a change.

create table tokens (
  token_id varchar primary key,
  sha256 varchar not null,
  principal varchar not null,
  groups varchar[] not null,
  expires_at timestamptz
);

create table token_events (
  event_no integer not null,
  token_id varchar not null,
  kind varchar not null, -- created or revoked
  who varchar not null,
  recorded_at timestamptz not null
);

create view current_tokens as
select t.token_id, t.sha256, t.principal, t.groups, e.created_at, t.expires_at, e.revoked_at
from tokens t join (
  select token_id, min(recorded_at) filter (kind = 'created') as created_at,
    min(recorded_at) filter (kind = 'revoked') as revoked_at
  from token_events group by token_id
) e using (token_id);
