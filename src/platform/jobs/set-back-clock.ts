/** What pg-boss and this need of a connection. */
interface Connection {
  executeSql(text: string): Promise<unknown>
}

/**
 * Pulls times that lie in the future back to now: the queue wrote them before the database's clock was set back, and would do
 * nothing until it has caught up with them. What is due within an hour may be a try that waits for its turn, and stays.
 */
export async function pullBackFuture(connection: Connection): Promise<void> {
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
      update pgboss.job set start_after = now() where state <= 'active' and start_after > now() + interval '65 minutes';
      update pgboss.job set started_on = now(), heartbeat_on = now()
        where state = 'active' and started_on > now() + interval '5 minutes';
    end $$`)
}
