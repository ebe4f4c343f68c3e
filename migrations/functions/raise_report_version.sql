create or replace function raise_report_version() returns trigger language plpgsql as $$
begin
  update report_state set version = version + 1;
  return null;
end
$$;
