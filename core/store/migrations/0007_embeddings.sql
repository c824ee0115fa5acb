-- The vector of a chunk under a model: computed once, for a chunk keeps its text for ever.

create table embeddings (
  model varchar not null, -- digest of the folder
  chunk_no integer not null,
  vector blob not null -- little-endian float32
);
