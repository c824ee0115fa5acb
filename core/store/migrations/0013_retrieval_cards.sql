-- What was retrieved for each question, served or not: which passages, at which rank, what was packed and what was cut.
-- No text of a source and no question is in here.

create table retrieval_cards (
  request_id varchar not null,
  retrieved_at timestamptz not null,
  corpus varchar not null,
  embedder varchar not null, -- name @ number + first 8 hex of its digest
  searched integer not null, -- passages that the caller could see
  threshold double not null, -- least cosine of a passage without the question's words
  seconds double not null,
  passages varchar not null -- JSON: list of core.store.cards.CardPassage, best first
);
