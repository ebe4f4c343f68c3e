/**
 * Whether the server refused a statement because it takes no writes: it is a standby, or is told to be read-only. A standby refuses even to
 * read an unlogged table, with a general code (feature_not_supported); the function that reports it is told in every language.
 */
export function isReadOnlyError(error: object): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  return code === '25006' || (code === '0A000' && routine === 'get_relation_info')
}
