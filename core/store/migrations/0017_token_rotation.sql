-- A token can be replaced by another of the same caller, and is refused from a moment on; when it was last good is noted.

alter table token_events add column ends_at timestamptz; -- of a token that was replaced: from when on it is refused
alter table token_events add column successor varchar; -- the id of the token that took its place

create or replace view current_tokens as
select t.token_id, t.sha256, t.principal, t.groups, e.created_at, least(t.expires_at, e.ends_at) as expires_at,
  e.revoked_at, e.last_used_at, e.successor
from tokens t join (
  select token_id, min(recorded_at) filter (kind = 'created') as created_at,
    min(recorded_at) filter (kind = 'revoked') as revoked_at, max(recorded_at) filter (kind = 'used') as last_used_at,
    min(ends_at) as ends_at, arg_min(successor, event_no) filter (kind = 'replaced') as successor
  from token_events group by token_id
) e using (token_id);
