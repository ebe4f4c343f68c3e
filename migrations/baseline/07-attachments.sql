create table ticket_attachments (
  id bigint generated always as identity primary key,
  ticket_id bigint references tickets on delete cascade,
  message_id bigint references ticket_messages on delete cascade,
  file_name varchar(255) not null check (file_name <> ''),
  file_path varchar(500) not null unique,
  file_type varchar(100) not null,
  file_size bigint default 0 not null check (file_size >= 0),
  sha256 char(64) not null,
  created_at timestamptz default now() not null,
  scan_state text default 'clean' not null check (scan_state in ('pending', 'clean', 'infected')),
  scan_answer varchar(300),
  scanned_at timestamptz,
  note_id bigint references ticket_notes on delete cascade,
  mail_id bigint references inbound_mails on delete cascade,
  content_id text,
  check (case
    when mail_id is not null then ticket_id is null and message_id is null and note_id is null
    when note_id is not null then ticket_id is null and message_id is null
    else ticket_id is not null end)
);
create index ticket_attachments_mail_index on ticket_attachments (mail_id) where mail_id is not null;
create index ticket_attachments_message_index on ticket_attachments (message_id);
create index ticket_attachments_note_index on ticket_attachments (note_id, id) where note_id is not null;
create index ticket_attachments_ticket_index on ticket_attachments (ticket_id, id);
create index ticket_attachments_unclean_index on ticket_attachments (scan_state, created_at) where scan_state <> 'clean';
create trigger ticket_attachments_removed
  after delete on ticket_attachments
  referencing old table as deleted
  for each statement
  execute function list_removed_files();

create table removed_files (
  file_path text primary key
);
