import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { OutputText } from '../../../kit/schemas.ts'
import { maxMarkdownBytes, rendered } from '../render-article.ts'

/** What a text looks like to its readers, before it is saved. */
export const previewArticle = endpoint({
  path: '/api/admin/kb/articles/preview',
  summary: 'Show Markdown as an article would show it',
  access: { anyOf: ['tickets.reply'] },
  onlyReads: true,
  body: Type.Object({
    markdown: Type.String({ minLength: 1, maxLength: maxMarkdownBytes, examples: ['It lost its **earth**.'] })
  }),
  data: Type.Object({ html: OutputText('<p>It lost its <strong>earth</strong>.</p>') }),
  async handle({ body }) {
    const { html } = await rendered(body.markdown, 'markdown')
    return { message: 'Preview', data: { html } }
  }
})
