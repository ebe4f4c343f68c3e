import { permissionSlugs } from '../../src/core/permissions.ts'
import { type ContractRow, row } from './contract-row.ts'

const [write, publish] = [['tickets.reply'], ['departments.manage']]
const article = (name: string, auth: ContractRow['auth'], required: string[] = ['id']) =>
  row(`/api/admin/kb/articles/${name}`, [`/api/admin/kb/articles/:id/${name}`], auth, required)
const category = (name: string) =>
  row(`/api/admin/kb/categories/${name}`, [`/api/admin/kb/categories/:id/${name}`], publish, ['id'])

/** The rows of the knowledge base. */
export const knowledgeBaseRows: readonly ContractRow[] = [
  row('/api/admin/kb/categories/list', ['/api/admin/kb/categories'], permissionSlugs),
  row('/api/admin/kb/categories/create', [], publish, ['name', 'audience']),
  category('update'),
  category('delete'),
  row('/api/admin/kb/articles/list', ['/api/admin/kb/articles'], permissionSlugs),
  row(
    '/api/admin/kb/articles/detail',
    ['/api/admin/kb/articles/:id', '/api/admin/kb/articles/:id/detail'],
    permissionSlugs,
    ['id']
  ),
  row('/api/admin/kb/articles/preview', [], write, ['markdown']),
  row('/api/admin/kb/articles/create', [], write, ['category_id', 'texts']),
  article('update', [...write, ...publish]),
  article('publish', publish),
  article('ask-publishing', write),
  article('presence', permissionSlugs, ['id', 'state']),
  article('archive', publish),
  article('unarchive', publish),
  article('delete', publish),
  article('versions', permissionSlugs, ['id', 'locale']),
  article('restore', write, ['id', 'locale', 'version']),
  row('/api/admin/kb/files/upload', [], write, ['file']),
  row('/api/admin/kb/insert', [], write, ['article_id', 'ticket_id', 'as']),
  row('/api/admin/kb/numbers', [], permissionSlugs),
  row('/api/admin/kb/tickets/detail', [], permissionSlugs, ['ticket_id']),
  row('/api/admin/kb/tickets/solved-by', [], write, ['ticket_id', 'article_id']),
  row('/api/admin/kb/tickets/needs-article', [], write, ['ticket_id', 'is_needed']),
  row('/api/admin/kb/tickets/list', [], permissionSlugs),
  row('/api/admin/kb/tickets/draft', [], write, ['ticket_id']),
  row('/api/admin/widget/detail', ['/api/admin/widget'], 'admin'),
  row('/api/admin/widget/rotate', [], 'admin'),
  row('/api/kb/list', [], 'optional'),
  row('/api/kb/article', [], 'optional', ['id', 'slug']),
  row('/api/kb/search', [], 'optional', ['search']),
  row('/api/kb/suggest', [], 'optional', ['subject']),
  row('/api/kb/feedback', [], 'optional', ['article_id', 'locale', 'is_helpful']),
  row('/api/kb/solved', [], 'optional', ['article_id', 'locale']),
  row('/api/kb/read', [], 'clients', ['ticket_id', 'article_ids'])
]
