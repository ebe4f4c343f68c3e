create extension if not exists pg_trgm;
create extension if not exists unaccent;

create table installation (
  is_only boolean default true primary key check (is_only),
  id uuid default gen_random_uuid() not null,
  location text,
  former_ids uuid[] default '{}' not null,
  copied_from uuid[] default '{}' not null,
  last_sweep jsonb,
  swept_at timestamptz
);

insert into installation default values;

-- The oldest code that works with this schema.
create table schema_compatibility (
  only_row boolean default true primary key check (only_row),
  oldest_code text not null
);
insert into schema_compatibility (oldest_code) values ('0001-baseline');

create table desk_settings (
  name varchar(100) primary key,
  value jsonb not null,
  updated_at timestamptz default now() not null
);

create table desk_logo (
  is_only boolean default true primary key check (is_only),
  content bytea not null check (octet_length(content) >= 1 and octet_length(content) <= 262144),
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  sha256 text not null,
  uploaded_at timestamptz not null
);

create table email_templates (
  name text not null,
  language text not null check (language in ('en', 'de')),
  subject text not null check (char_length(subject) >= 1 and char_length(subject) <= 200),
  text text not null check (char_length(text) >= 1 and char_length(text) <= 10000),
  updated_at timestamptz not null,
  primary key (name, language)
);
