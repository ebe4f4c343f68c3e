create table calendars (
  id bigint generated always as identity primary key,
  name varchar(100) not null check (name <> ''),
  time_zone text not null,
  is_always boolean default false not null,
  is_default boolean default false not null,
  is_archived boolean default false not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  version integer default 1 not null,
  -- Another at each change, so that what was worked out from the hours may be kept by it.
  revision uuid default gen_random_uuid() not null,
  check (not (is_default and is_archived))
);
create unique index calendars_name_key on calendars (lower(name));
create unique index calendars_default_key on calendars (is_default) where is_default;
create trigger calendars_version
  before update on calendars
  for each row
  execute function raise_version();

-- The hours from a local date on; null: from the beginning.
create table calendar_weeks (
  calendar_id bigint not null references calendars on delete cascade,
  valid_from date,
  hours jsonb not null,
  constraint calendar_weeks_key unique nulls not distinct (calendar_id, valid_from)
);

-- Local dates with hours of their own.
create table calendar_days (
  calendar_id bigint not null references calendars on delete cascade,
  date date not null,
  name varchar(100) not null check (name <> ''),
  hours jsonb default '[]' not null,
  primary key (calendar_id, date)
);

with office as (
  insert into calendars (name, time_zone, is_default) values ('Mon–Fri 9–17', 'UTC', true) returning id
), always as (
  insert into calendars (name, time_zone, is_always) values ('Always', 'UTC', true)
)
insert into calendar_weeks (calendar_id, hours)
select id, jsonb_object_agg(day, '[["09:00", "17:00"]]'::jsonb)
from office, unnest(array['mon', 'tue', 'wed', 'thu', 'fri']) as day
group by id;

-- Where an admin has set the clock of the desk, for tests (TEST_CLOCK); null: it goes like that of the machine.
create table desk_clock (
  is_only boolean default true primary key check (is_only),
  moved_to timestamptz
);
insert into desk_clock default values;

-- Which process does what falls due, and until when.
create table due_work_lease (
  is_only boolean default true primary key check (is_only),
  holder uuid,
  leased_until timestamptz
);
insert into due_work_lease default values;
