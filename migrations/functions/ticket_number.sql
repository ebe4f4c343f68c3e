create or replace function ticket_number(sequence_value bigint) returns varchar language plpgsql immutable strict as $$
declare
  place bigint := sequence_value - 1;
  first bigint := 0;
  width bigint := 1000;
  high bigint;
  low bigint;
begin
  if place >= 1000000 then
    first := (10 ^ (length(place::text) - 1))::bigint;
    width := 9 * first / 1000;
  end if;
  high := (place - first) / 1000;
  low := (place - first) % 1000;
  for round in 1..4 loop
    high := (high + (low * low * 7919 + low * 104729 + round * 611953)) % width;
    low := (low + ((high % 1000003) * (high % 1000003) * 5381 + high * 69997 + round * 350377)) % 1000;
  end loop;
  return 'TIC-' || lpad((first + high * 1000 + low)::text, greatest(6, length(place::text)), '0');
end
$$;
