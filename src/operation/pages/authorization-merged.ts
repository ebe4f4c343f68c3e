/** Which of two merged tickets a supporter sees. The source was merged into the target. */
export const mergedVisitors = ['both', 'source', 'target'] as const

type MergedVisitor = (typeof mergedVisitors)[number]

export interface MergedRow {
  path: string
  /** What the request refers to. */
  named: 'the source' | 'a file of the source' | 'a file of the target' | 'words of the target'
  /** Let in, or the status of the refusal. */
  cells: Record<MergedVisitor, 'yes' | 404 | 409>
}

/** Reading: the target shows the threads and files of both, as whoever merged them wanted; the source shows only its own. */
const reading: MergedRow[] = [
  row('/api/tickets/detail', 'the source', 'yes', 'yes', 404),
  row('/api/admin/tickets/detail', 'the source', 'yes', 'yes', 404),
  row('/api/tickets/attachment-link', 'a file of the source', 'yes', 'yes', 'yes'),
  row('/api/tickets/attachment-link', 'a file of the target', 'yes', 404, 'yes'),
  row('/api/admin/search', 'words of the target', 'yes', 'yes', 'yes'),
  row('/api/admin/tickets/list', 'words of the target', 'yes', 'yes', 'yes')
]

/** Writing goes to the target, so the caller has to see it. */
const writing: MergedRow[] = [
  row('/api/tickets/reply', 'the source', 'yes', 404, 404),
  row('/api/tickets/status', 'the source', 'yes', 404, 404),
  row('/api/admin/tickets/reply', 'the source', 'yes', 409, 404),
  row('/api/admin/tickets/unmerge', 'the source', 'yes', 404, 404)
]

/** Refused to everybody; the error names the target to callers who see it. */
const elsewhere: MergedRow[] = [
  ...['status', 'update', 'assign', 'note', 'tags', 'watch', 'merge', 'delete'],
  ...['link', 'unlink', 'split']
].map(action => row(`/api/admin/tickets/${action}`, 'the source', 409, 409, 404))

/** Every endpoint that reaches a ticket through one that was merged into it. */
export const mergedTable: readonly MergedRow[] = [...reading, ...writing, ...elsewhere]

/** The part of `docs/authorization.md` on merged tickets. */
export function mergedSection(): string {
  const rows = mergedTable.map(
    ({ path, named, cells }) =>
      `| \`${path}\` | ${named} | ${mergedVisitors.map(visitor => cells[visitor]).join(' | ')} |`
  )
  return `## Merged tickets

A ticket (the source) was merged into a ticket of another department (the target). The columns are supporters with every ticket
permission who are restricted to the departments of both, of the source or of the target. Responses to a supporter who sees only the source
never mention the target.

| | named in the request | sees both | sees the source | sees the target |
|---|---|---|---|---|
${rows.join('\n')}`
}

type Cell = MergedRow['cells'][MergedVisitor]

function row(path: string, named: MergedRow['named'], both: Cell, source: Cell, target: Cell): MergedRow {
  return { path, named, cells: { both, source, target } }
}
