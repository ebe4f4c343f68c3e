-- A company whose people are clients.
create table organisations (
  id bigint generated always as identity primary key,
  name varchar(150) not null check (name <> ''),
  note text default '' not null,
  is_archived boolean default false not null,
  -- Its managers get the e-mails about all of its tickets, not only about those that they follow.
  managers_follow boolean default false not null,
  -- Its tickets that are not in the trash, but for those in organisation_ticket_changes.
  ticket_count bigint default 0 not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  version integer default 1 not null
);
create unique index organisations_name_key on organisations (lower(name));
create trigger organisations_keep_time
  before update of updated_at on organisations
  for each row
  when (new.updated_at < old.updated_at)
  execute function keep_updated_at();

-- Whoever has proven an address at one of these joins the organisation. In lower case and punycode.
create table organisation_domains (
  domain varchar(253) primary key check (domain = lower(domain)),
  organisation_id bigint not null references organisations on delete cascade
);
create index organisation_domains_organisation_index on organisation_domains (organisation_id);

create table organisation_ticket_changes (
  organisation_id bigint not null,
  tickets integer not null
);
create index organisation_ticket_changes_organisation_index on organisation_ticket_changes (organisation_id);

-- Organisations that are being merged into another.
create table organisation_merges (
  organisation_id bigint primary key references organisations on delete cascade,
  into_id bigint not null references organisations,
  actor_type text not null check (actor_type in ('client', 'staff', 'system')),
  actor_id bigint,
  actor_name text not null,
  ip_address varchar(45),
  request_id varchar(100),
  people_moved integer default 0 not null,
  tickets_moved integer default 0 not null,
  created_at timestamptz not null,
  worked_at timestamptz not null,
  check (into_id <> organisation_id)
);
create index organisation_merges_into_index on organisation_merges (into_id);

alter table clients
  add column organisation_id bigint references organisations,
  add column organisation_role text check (organisation_role in ('member', 'manager')),
  -- Membership that came from the domain ends with the address; what staff have set stays.
  add column organisation_joined_by text check (organisation_joined_by in ('staff', 'domain')),
  add constraint clients_organisation_check check (
    (organisation_id is null) = (organisation_role is null) and (organisation_id is null) = (organisation_joined_by is null));

-- That of the client when the ticket was opened; it stays when the client leaves.
alter table tickets add column organisation_id bigint references organisations;

-- Whether a manager gets the e-mails about a ticket of the organisation, for as long as they see it; without a row, whoever has written in it does.
create table ticket_manager_follows (
  ticket_id bigint not null references tickets on delete cascade,
  client_id bigint not null references clients on delete cascade,
  is_following boolean not null,
  created_at timestamptz default now() not null,
  primary key (ticket_id, client_id)
);
create index ticket_manager_follows_client_index on ticket_manager_follows (client_id);

drop trigger clients_version on clients;
create trigger clients_version
  before update of first_name, last_name, email, phone_number, company_name, street_address, street_address_2, city, state, postcode, is_active, two_factor_enabled, is_email_verified, is_phone_verified, organisation_id, organisation_role on clients
  for each row
  when ((old.first_name, old.last_name, old.email, old.phone_number, old.company_name, old.street_address, old.street_address_2, old.city, old.state, old.postcode, old.is_active, old.two_factor_enabled, old.is_email_verified, old.is_phone_verified, old.organisation_id, old.organisation_role)
    is distinct from (new.first_name, new.last_name, new.email, new.phone_number, new.company_name, new.street_address, new.street_address_2, new.city, new.state, new.postcode, new.is_active, new.two_factor_enabled, new.is_email_verified, new.is_phone_verified, new.organisation_id, new.organisation_role))
  execute function raise_version();
