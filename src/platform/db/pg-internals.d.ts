import 'pg'

// Internals of pg that we read or change.
declare module 'pg' {
  interface ClientBase {
    /** The number of the server's process. */
    processID: number
    _queryable: boolean
  }
  interface Query {
    _result: { fields: FieldDef[]; parseRow: (texts: (string | null)[]) => unknown }
    _accumulateRows: boolean
    prepare(connection: Connection): void
    handleRowDescription(message: { fields: FieldDef[] }): void
  }
  interface Connection {
    parsedStatements: Record<string, string>
    submittedNamedStatements: Record<string, string>
    close(statement: { type: 'S'; name: string }): void
    describe(what: { type: 'P' | 'S'; name: string }): void
  }
}
