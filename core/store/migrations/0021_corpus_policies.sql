-- What a corpus lets be asked of the outside for its answers; what counts is the last row of a corpus.
create table corpus_policies (
  policy_no integer not null,
  corpus varchar not null,
  policy varchar, -- JSON: core.corpus_policy.CorpusPolicy; null: from then on it has none of its own
  who varchar not null,
  recorded_at timestamptz not null
);
