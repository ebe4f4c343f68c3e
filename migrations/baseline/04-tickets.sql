create sequence ticket_numbers;

create table tickets (
  id bigint generated always as identity primary key,
  ticket_number varchar(30) default ticket_number(nextval('ticket_numbers')) not null unique,
  client_id bigint not null references clients on delete cascade,
  -- The client's address if it came by e-mail or by the form, in lower case: the account sees it only once it has proven that one. Null: by the API.
  client_email text,
  -- Whoever reads the e-mails to that address has confirmed the form.
  is_client_email_confirmed boolean default false not null,
  department_id bigint not null references departments,
  assigned_staff_id bigint references staff on delete set null,
  subject varchar(255) not null check (subject <> ''),
  priority text default 'Medium' not null check (priority in ('Low', 'Medium', 'High', 'Critical')),
  status text default 'Open' not null
    check (status in ('Open', 'In Progress', 'Answered', 'Customer-Reply', 'Closed')),
  message_count integer default 0 not null check (message_count >= 0),
  attachment_count integer default 0 not null check (attachment_count >= 0),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  version integer default 1 not null,
  trashed_at timestamptz,
  merged_into_id bigint references tickets on delete set null,
  closed_at timestamptz,
  thread_id uuid default gen_random_uuid() not null,
  waiting_since timestamptz,
  unanswered_since timestamptz,
  unanswered_of integer,
  check (merged_into_id <> id)
);
create index tickets_client_email_index on tickets (client_id) where client_email is not null;
create index tickets_assigned_index on tickets (assigned_staff_id, updated_at desc, id desc) where assigned_staff_id is not null;
create index tickets_client_activity_index on tickets (client_id, updated_at desc, id desc, status, department_id);
create index tickets_created_index on tickets (created_at desc, id desc) where trashed_at is null and merged_into_id is null;
create index tickets_merged_index on tickets (merged_into_id) where merged_into_id is not null;
create index tickets_of_department_index on tickets (department_id, id);
create index tickets_queue_index on tickets (updated_at desc, id desc) where trashed_at is null and merged_into_id is null;
create index tickets_queue_priority_index on tickets (
  (case priority when 'Critical' then 4 when 'High' then 3 when 'Medium' then 2 else 1 end) desc, id desc) where trashed_at is null and merged_into_id is null;
create index tickets_trash_index on tickets (trashed_at) where trashed_at is not null;
create index tickets_unclosed_index on tickets (updated_at desc, id desc, status, department_id, assigned_staff_id) where status <> 'Closed' and trashed_at is null and merged_into_id is null;
create index tickets_waiting_index on tickets (coalesce(waiting_since, created_at), id, department_id) where assigned_staff_id is null and merged_into_id is null and trashed_at is null and status in ('Open', 'In Progress', 'Customer-Reply');
create trigger tickets_counted
  after delete on tickets
  for each row
  execute function count_tickets();
create trigger tickets_maintained
  before insert or update on tickets
  for each row
  execute function maintain_ticket();
create trigger tickets_scrub_events
  after delete on tickets
  referencing old table as gone
  for each statement
  execute function scrub_events_of_tickets();

create table ticket_counts (
  id bigint generated always as identity primary key,
  department_id bigint not null,
  status text not null,
  assigned_staff_id bigint,
  tickets integer not null,
  is_sum boolean default false not null
);

create table client_ticket_changes (
  client_id bigint not null,
  tickets integer not null
);
create index client_ticket_changes_client_index on client_ticket_changes (client_id);

create table ticket_messages (
  id bigint generated always as identity primary key,
  ticket_id bigint not null references tickets on delete cascade,
  client_id bigint,
  staff_id bigint references staff on delete set null,
  sender_type text default 'client' not null check (sender_type in ('client', 'support', 'admin')),
  sender_first_name varchar(100) not null,
  sender_last_name varchar(100) not null,
  message text not null,
  -- As in tickets.
  client_email text,
  created_at timestamptz default now() not null
);
create index ticket_messages_client_email_index on ticket_messages (ticket_id) where client_email is not null;
create index ticket_messages_staff_index on ticket_messages (staff_id) where staff_id is not null;
create index ticket_messages_ticket_index on ticket_messages (ticket_id, id);

create table ticket_notes (
  id bigint generated always as identity primary key,
  ticket_id bigint not null references tickets on delete cascade,
  staff_id bigint references staff on delete set null,
  author_first_name varchar(100) not null,
  author_last_name varchar(100) not null,
  note text not null check (note <> ''),
  created_at timestamptz default now() not null
);
create index ticket_notes_staff_index on ticket_notes (staff_id) where staff_id is not null;
create index ticket_notes_ticket_index on ticket_notes (ticket_id, id);

create table ticket_watchers (
  ticket_id bigint not null references tickets on delete cascade,
  staff_id bigint not null references staff on delete cascade,
  created_at timestamptz default now() not null,
  primary key (ticket_id, staff_id)
);
create index ticket_watchers_staff_index on ticket_watchers (staff_id);

create table ticket_followers (
  id bigint generated always as identity primary key,
  ticket_id bigint not null references tickets on delete cascade,
  email text not null,
  name text default '' not null,
  added_by text not null check (added_by in ('client', 'follower', 'staff')),
  -- Of the ticket's client when an e-mail added them, in lower case. Null: staff did.
  client_email text,
  ended_by text check (ended_by in ('client', 'follower', 'staff')),
  ended_at timestamptz,
  created_at timestamptz default now() not null,
  sender_verdict text check (sender_verdict in ('pass', 'fail', 'none', 'unknown')),
  check ((ended_by is null) = (ended_at is null))
);
create unique index ticket_followers_email on ticket_followers (ticket_id, lower(email));
create index ticket_followers_person on ticket_followers (lower(email));

create table ticket_reads (
  ticket_id bigint not null references tickets on delete cascade,
  staff_id bigint not null references staff on delete cascade,
  message_id bigint not null,
  note_id bigint not null,
  primary key (ticket_id, staff_id)
);
create index ticket_reads_staff_index on ticket_reads (staff_id);


create table tags (
  id bigint generated always as identity primary key,
  name varchar(50) not null check (name <> ''),
  color char(7) default '#808080' not null check (color ~ '^#[0-9a-f]{6}$'),
  created_at timestamptz default now() not null,
  version integer default 1 not null
);
create unique index tags_name_key on tags (lower(name));
create trigger tags_version
  before update of name, color on tags
  for each row
  when ((old.name, old.color)
    is distinct from (new.name, new.color))
  execute function raise_version();

create table ticket_tags (
  ticket_id bigint not null references tickets on delete cascade,
  tag_id bigint not null references tags on delete cascade,
  primary key (ticket_id, tag_id)
);
create index ticket_tags_tag_index on ticket_tags (tag_id, ticket_id);

create table ticket_views (
  id bigint generated always as identity primary key,
  personal_to bigint references staff on delete cascade,
  shared_by bigint references staff on delete set null,
  is_shared boolean not null,
  name varchar(100) not null check (name <> ''),
  query json not null,
  position integer not null,
  version integer default 1 not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  check (case when is_shared then personal_to is null else personal_to is not null and shared_by is null end)
);
create index ticket_views_personal_index on ticket_views (personal_to, position);
create index ticket_views_shared_index on ticket_views (shared_by);

create table canned_replies (
  id bigint generated always as identity primary key,
  staff_id bigint references staff on delete cascade,
  title varchar(100) not null check (title <> ''),
  text text not null check (text <> ''),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  version integer default 1 not null
);
create index canned_replies_staff_index on canned_replies (staff_id);
create trigger canned_replies_keep_time
  before update of updated_at on canned_replies
  for each row
  when (new.updated_at < old.updated_at)
  execute function keep_updated_at();
create trigger canned_replies_version
  before update of staff_id, title, text on canned_replies
  for each row
  when ((old.staff_id, old.title, old.text)
    is distinct from (new.staff_id, new.title, new.text))
  execute function raise_version();

-- Departments that are being deleted, whose tickets go to another.
create table department_moves (
  department_id bigint primary key references departments on delete cascade,
  to_department_id bigint not null references departments,
  was_active boolean not null,
  actor_type text not null check (actor_type in ('client', 'staff', 'system')),
  actor_id bigint,
  actor_name text not null,
  ip_address varchar(45),
  request_id varchar(100),
  tickets_moved integer default 0 not null,
  created_at timestamptz not null,
  worked_at timestamptz not null,
  check (to_department_id <> department_id)
);
create index department_moves_to_index on department_moves (to_department_id);
