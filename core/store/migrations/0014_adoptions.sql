-- Protocols that somebody made of a calibration; verdicts of the protocol that was measured stay as they are.

create table adoptions (
  adoption_no integer not null,
  adoption_id varchar not null, -- 16 hex over the protocol and the gold that it was chosen on
  name varchar not null, -- what people ask for it by
  protocol_no integer not null, -- the new protocol
  base varchar not null, -- the protocol that was measured, as printed
  threshold double not null, -- the least support score of "supported"
  gold_id varchar not null,
  gold_sha256 varchar not null,
  said varchar not null, -- what the threshold costs, as it was shown
  who varchar not null,
  adopted_at timestamptz not null
);
