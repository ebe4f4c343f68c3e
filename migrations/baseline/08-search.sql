-- The language of the stored words; without a row it is English.
create table search_state (
  only_row boolean default true primary key check (only_row),
  language varchar(30) not null
);

-- The words of clients and tickets stand beside them: a ticket changes with each reply, and in its own row its words would be indexed anew each
-- time. The label is also found by parts of words and by similar words.
create table client_words (
  client_id bigint primary key references clients on delete cascade,
  words tsvector not null,
  label text not null
);
create index client_words_index on client_words using gin (words) with (gin_pending_list_limit = 1024);
create index client_words_label_index on client_words using gin (label gin_trgm_ops) with (gin_pending_list_limit = 1024);

create table ticket_words (
  ticket_id bigint primary key references tickets on delete cascade,
  words tsvector not null,
  label text not null
);
create index ticket_words_index on ticket_words using gin (words) with (gin_pending_list_limit = 1024);
create index ticket_words_label_index on ticket_words using gin (label gin_trgm_ops) with (gin_pending_list_limit = 1024);

-- Messages and notes hardly ever change.
alter table ticket_messages add words tsvector not null generated always as (search_words(message)) stored;
create index ticket_messages_words_index on ticket_messages using gin (words) with (gin_pending_list_limit = 1024);

alter table ticket_notes add words tsvector not null generated always as (search_words(note)) stored;
create index ticket_notes_words_index on ticket_notes using gin (words) with (gin_pending_list_limit = 1024);

-- The planner has to know how common ten thousand words are: it walks back from the newest row for a common one, and looks up a rare one.
alter table client_words alter words set statistics 1000, alter label set statistics 1000;
alter table ticket_words alter words set statistics 1000, alter label set statistics 1000;
alter table ticket_messages alter words set statistics 1000;
alter table ticket_notes alter words set statistics 1000;

create trigger clients_words_in
  after insert on clients
  for each row
  execute function keep_words_of_clients();
create trigger clients_words_changed
  after update of first_name, last_name, email, company_name on clients
  for each row
  when ((old.first_name, old.last_name, old.email, old.company_name)
    is distinct from (new.first_name, new.last_name, new.email, new.company_name))
  execute function keep_words_of_clients();
create trigger clients_words_of_tickets
  after update of first_name, last_name, email, company_name on clients
  for each row
  when ((old.first_name, old.last_name, old.email, old.company_name)
    is distinct from (new.first_name, new.last_name, new.email, new.company_name))
  execute function keep_words_of_clients_tickets();
create trigger tickets_words_in
  after insert on tickets
  for each row
  execute function keep_words_of_tickets();
create trigger tickets_words_changed
  after update of ticket_number, subject, client_id on tickets
  for each row
  when ((old.ticket_number, old.subject, old.client_id) is distinct from (new.ticket_number, new.subject, new.client_id))
  execute function keep_words_of_tickets();
