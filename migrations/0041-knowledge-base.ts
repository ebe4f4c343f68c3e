import { type Kysely, sql } from 'kysely'
import { createFunctions } from './run-sql.ts'

export const oldestCode = '0002-search'

/** The knowledge base: categories, articles with a text and versions in each language, their words, feedback, and links to tickets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // In this order: of several audiences the greatest is the narrowest.
  await sql`create type kb_audience as enum ('public', 'clients', 'staff')`.execute(db)
  // Its revision rises with each change, in the same transaction: changes run one after the other, and pages are cached by it.
  await sql`
    create table kb_state (
      only_row boolean primary key default true check (only_row),
      revision bigint not null
    )`.execute(db)
  await sql`insert into kb_state (revision) values (1)`.execute(db)
  await sql`
    create table kb_categories (
      id bigint generated always as identity primary key,
      parent_id bigint references kb_categories,
      depth smallint not null check (depth between 1 and 3),
      audience kb_audience not null,
      position integer not null,
      version integer default 1 not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      check ((parent_id is null) = (depth = 1))
    )`.execute(db)
  await sql`create index kb_categories_parent_index on kb_categories (parent_id)`.execute(db)
  await sql`
    create table kb_category_texts (
      category_id bigint not null references kb_categories on delete cascade,
      locale varchar(10) not null,
      name varchar(100) not null check (name <> ''),
      slug varchar(120) not null,
      primary key (category_id, locale),
      unique (locale, slug)
    )`.execute(db)
  await sql`
    create table kb_articles (
      id bigint generated always as identity primary key,
      category_id bigint not null references kb_categories,
      -- Null: that of its category.
      audience kb_audience,
      state varchar(9) not null check (state in ('draft', 'published', 'archived')),
      author_id bigint references staff on delete set null,
      version integer default 1 not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`create index kb_articles_category_index on kb_articles (category_id)`.execute(db)
  await sql`create index kb_articles_author_index on kb_articles (author_id)`.execute(db)
  await sql`
    create table kb_texts (
      id bigint generated always as identity primary key,
      article_id bigint not null references kb_articles on delete cascade,
      locale varchar(10) not null,
      slug varchar(120) not null,
      latest_version integer not null,
      -- The version that readers see; null: none.
      published_version integer check (published_version <= latest_version),
      published_at timestamptz,
      -- Of the published version.
      words tsvector,
      unique (article_id, locale),
      check ((published_version is null) = (published_at is null))
    )`.execute(db)
  await sql`
    create table kb_versions (
      article_id bigint not null,
      locale varchar(10) not null,
      version integer not null,
      title varchar(200) not null check (title <> ''),
      markdown text not null,
      -- Made of the Markdown when it was saved: sanitised HTML, and its words alone.
      html text not null,
      plain text not null,
      author_id bigint references staff on delete set null,
      author_name varchar(511) not null,
      created_at timestamptz not null,
      primary key (article_id, locale, version),
      foreign key (article_id, locale) references kb_texts (article_id, locale) on delete cascade
    )`.execute(db)
  await sql`create index kb_versions_author_index on kb_versions (author_id)`.execute(db)
  // All addresses that an article has or had: former ones lead to it, and no other article takes them.
  await sql`
    create table kb_slugs (
      locale varchar(10) not null,
      slug varchar(120) not null,
      article_id bigint not null references kb_articles on delete cascade,
      primary key (locale, slug)
    )`.execute(db)
  await sql`create index kb_slugs_article_index on kb_slugs (article_id)`.execute(db)
  // In how many published texts each word is.
  await sql`create table kb_words (word text primary key, texts integer not null)`.execute(db)
  await sql`
    create table kb_feedback (
      article_id bigint not null references kb_articles on delete cascade,
      -- An account, or a keyed digest of a network address and a browser.
      reader varchar(100) not null,
      locale varchar(10) not null,
      client_id bigint references clients on delete cascade,
      is_helpful boolean,
      comment varchar(2000),
      -- When the reader said that it answered the question.
      solved_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (article_id, reader)
    )`.execute(db)
  await sql`create index kb_feedback_client_index on kb_feedback (client_id) where client_id is not null`.execute(db)
  await sql`
    create table kb_links (
      article_id bigint not null references kb_articles on delete cascade,
      ticket_id bigint not null references tickets on delete cascade,
      how varchar(9) not null check (how in ('suggested', 'inserted', 'solved')),
      staff_id bigint references staff on delete set null,
      created_at timestamptz not null,
      primary key (article_id, ticket_id, how)
    )`.execute(db)
  await sql`create index kb_links_ticket_index on kb_links (ticket_id)`.execute(db)
  await sql`create index kb_links_staff_index on kb_links (staff_id)`.execute(db)
  await createFunctions(db, ['keep_words_of_kb_texts', 'count_words_of_kb_texts'])
  await sql`create trigger kb_texts_words before insert or update on kb_texts
    for each row execute function keep_words_of_kb_texts()`.execute(db)
  await sql`create trigger kb_texts_count_words after insert or update or delete on kb_texts
    for each row execute function count_words_of_kb_texts()`.execute(db)
  await sql`create index kb_texts_words_index on kb_texts using gin (words) with (fastupdate = off)`.execute(db)
}
