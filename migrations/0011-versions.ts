import { type Kysely, sql } from 'kysely'

/** The columns whose change is a new version of the row; changes of counters and other columns are none. */
const versioned: Record<string, string[]> = {
  departments: ['name', 'description', 'is_active'],
  tags: ['name', 'color'],
  canned_replies: ['staff_id', 'title', 'text'],
  clients: [
    'first_name',
    'last_name',
    'email',
    'phone_number',
    'company_name',
    'street_address',
    'street_address_2',
    'city',
    'state',
    'postcode',
    'is_active',
    'two_factor_enabled',
    'is_email_verified',
    'is_phone_verified'
  ],
  staff: ['first_name', 'last_name', 'email', 'phone_number', 'role', 'is_active', 'two_factor_enabled']
}

/** Versions, like those of tickets, for everything that staff change; and an index for the queue by priority. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function raise_version() returns trigger language plpgsql as $$
    begin
      new.version := old.version + 1;
      return new;
    end $$`.execute(db)

  for (const [name, columns] of Object.entries(versioned)) {
    const table = sql.table(name)
    const row = (which: string) => sql.join(columns.map(column => sql.ref(`${which}.${column}`)))
    await sql`alter table ${table} add version integer not null default 1`.execute(db)
    await sql`create trigger ${sql.ref(`${name}_version`)}
      before update of ${sql.join(columns.map(column => sql.ref(column)))} on ${table}
      for each row when (row(${row('old')}) is distinct from row(${row('new')}))
      execute function raise_version()`.execute(db)
  }

  // Without this index the whole queue would be sorted by priority for each page.
  await sql`create index tickets_queue_priority_index on tickets (
      (case priority when 'Critical' then 4 when 'High' then 3 when 'Medium' then 2 else 1 end) desc, id desc)
    where trashed_at is null and merged_into_id is null`.execute(db)
}
