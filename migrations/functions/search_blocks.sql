create or replace function search_blocks(id bigint) returns bigint[] language sql immutable parallel safe as $$
select array[id >> 10 << 3, (id >> 13 << 3) + 1, (id >> 16 << 3) + 2, (id >> 19 << 3) + 3, (id >> 22 << 3) + 4]
$$;
