import { aCategory, anArticle } from './articles.ts'
import { aLogo } from './logos.ts'
import type { Scene, Write } from './staff-writes.ts'
import { aFile, form } from './tickets.ts'

const text = 'canary'
const texts = { en: { title: 'A title', markdown: text } }
const ofArticle = (name: string, given: object = {}) => ({
  [`/api/admin/kb/articles/${name}`]: async ({ desk, admin }: Scene): Promise<Write> => {
    const { id } = await anArticle(desk, admin)
    await desk.post('/api/admin/kb/articles/update', admin, { id, texts })
    if (name === 'unarchive' || name === 'delete') await desk.post('/api/admin/kb/articles/archive', admin, { id })
    return { body: { id, ...given }, refused: { id: 999_999, ...given } }
  }
})

/** Of `staffWrites`, those of the knowledge base. */
export const knowledgeBaseWrites: Record<string, (scene: Scene) => Promise<Write>> = {
  '/api/admin/widget/rotate': async () => ({ body: {}, refused: { end_former: 'maybe' } }),
  '/api/admin/kb/categories/create': async () => ({
    body: { name: { en: 'Billing' }, audience: 'public' },
    refused: { name: { en: 'Billing' }, audience: 'public', parent_id: 999_999 }
  }),
  '/api/admin/kb/categories/update': async ({ desk, admin }) => {
    const id = await aCategory(desk, admin)
    return { body: { id, audience: 'staff' }, refused: { id, parent_id: id } }
  },
  '/api/admin/kb/categories/delete': async ({ desk, admin }) => ({ body: { id: await aCategory(desk, admin) } }),
  '/api/admin/kb/articles/create': async ({ desk, admin }) => {
    const category_id = await aCategory(desk, admin)
    return { body: { category_id, texts }, refused: { category_id: 999_999, texts } }
  },
  '/api/admin/kb/files/upload': async () => ({
    body: form({}, aLogo()),
    refused: form({}, aFile('x.png', 'no picture'))
  }),
  ...ofArticle('update', { texts: { en: { markdown: `${text} anew` } } }),
  ...ofArticle('publish'),
  ...ofArticle('ask-publishing'),
  ...ofArticle('archive'),
  ...ofArticle('unarchive'),
  ...ofArticle('delete'),
  ...ofArticle('restore', { locale: 'en', version: 1 })
}
