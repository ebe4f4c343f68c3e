/** The part of a pg-boss connection that is used here. */
interface Connection {
  executeSql(text: string): Promise<unknown>
}

/**
 * Moves what the queue wrote before the database's clock was set back, since it would do nothing until the clock has caught up. A job created or
 * begun in the future is moved as a whole by the difference, so that its delays stay the same. Its due time alone proves nothing, since a job
 * may be scheduled for next week.
 */
export async function shiftFutureJobs(connection: Connection): Promise<void> {
  await connection.executeSql(`
    do $$
    declare
      future record;
    begin
      for future in
        select table_name, column_name from information_schema.columns
        where table_schema = 'pgboss' and table_name in ('version', 'queue') and data_type = 'timestamp with time zone'
      loop
        execute format('update pgboss.%I set %I = now() where %I > now() + interval ''5 minutes''',
          future.table_name, future.column_name, future.column_name);
      end loop;
      update pgboss.job set
          created_on = least(created_on, now()),
          started_on = least(started_on, now()),
          heartbeat_on = least(heartbeat_on, now()),
          start_after = start_after - (greatest(created_on, started_on) - now())
        where state <= 'active' and greatest(created_on, started_on) > now() + interval '5 minutes';
    end $$`)
}
