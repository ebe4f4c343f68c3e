import 'pg'

// Internals of pg that we read or change.
declare module 'pg' {
  interface ClientBase {
    /** The number of the server's process. */
    processID: number
    _queryable: boolean
  }
  interface Connection {
    parsedStatements: Record<string, string>
    submittedNamedStatements: Record<string, string>
    close(statement: { type: 'S'; name: string }): void
  }
}
