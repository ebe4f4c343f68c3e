create table search_state (
  only_row boolean default true primary key check (only_row),
  language varchar(30) not null
);

create table search_places (
  name varchar(30) primary key,
  seen_id bigint not null,
  gaps int8multirange default '{}' not null,
  old_gaps int8multirange default '{}' not null,
  turned_at timestamptz default now() not null,
  turned_xid xid8,
  forgotten_id bigint,
  forgets_at timestamptz default (now() + '01:00:00'::interval) not null
);
insert into search_places (name, seen_id) values ('tickets', 0), ('ticket_messages', 0), ('ticket_notes', 0);

create table client_words (
  client_id bigint primary key references clients on delete cascade,
  words tsvector not null,
  label text not null
);
create index client_words_index on client_words using gin (words, search_blocks(client_id)) with (gin_pending_list_limit='1024');
create index client_words_label_index on client_words using gin (label gin_trgm_ops, search_blocks(client_id)) with (gin_pending_list_limit='1024');

create table ticket_words (
  ticket_id bigint primary key references tickets on delete cascade,
  words tsvector not null,
  label text not null
);
create index ticket_words_index on ticket_words using gin (words, search_blocks(ticket_id)) with (gin_pending_list_limit='1024');
create index ticket_words_label_index on ticket_words using gin (label gin_trgm_ops, search_blocks(ticket_id)) with (gin_pending_list_limit='1024');

create table message_words (
  message_id bigint primary key references ticket_messages on delete cascade,
  words tsvector not null
);
create index message_words_index on message_words using gin (words, search_blocks(message_id)) with (gin_pending_list_limit='1024');
create trigger message_words_stored
  after insert on message_words
  referencing new table as stored
  for each statement
  when (current_setting('deskline.recalls_words'::text, true) is distinct from 'on'::text)
  execute function search_stored_messages();
create trigger message_words_stored_anew
  after update on message_words
  referencing new table as stored
  for each statement
  execute function search_stored_messages();

create table note_words (
  note_id bigint primary key references ticket_notes on delete cascade,
  words tsvector not null
);
create index note_words_index on note_words using gin (words, search_blocks(note_id)) with (gin_pending_list_limit='1024');

create table searched_messages (
  message_id bigint primary key references ticket_messages on delete cascade
);
create index searched_messages_index on searched_messages using gin (search_words_of_message(message_id), search_blocks(message_id)) with (gin_pending_list_limit='1024');

create trigger clients_words_changed
  after update of first_name, last_name, email, company_name on clients
  for each row
  when ((old.first_name, old.last_name, old.email, old.company_name)
    is distinct from (new.first_name, new.last_name, new.email, new.company_name))
  execute function keep_words_of_clients();
create trigger clients_words_in
  after insert on clients
  for each row
  execute function keep_words_of_clients();
create trigger clients_words_of_tickets
  after update of first_name, last_name, email, company_name on clients
  for each row
  when ((old.first_name, old.last_name, old.email, old.company_name)
    is distinct from (new.first_name, new.last_name, new.email, new.company_name))
  execute function keep_words_of_clients_tickets();
create trigger tickets_words_changed
  after update of ticket_number, subject, client_id on tickets
  for each row
  when ((old.ticket_number, old.subject, old.client_id)
    is distinct from (new.ticket_number, new.subject, new.client_id))
  execute function keep_words_of_tickets();
create trigger ticket_messages_words_changed
  after update of message on ticket_messages
  for each row
  when (old.message is distinct from new.message)
  execute function keep_words_of_ticket_messages();
create trigger ticket_notes_words_changed
  after update of note on ticket_notes
  for each row
  when (old.note is distinct from new.note)
  execute function keep_words_of_ticket_notes();
