import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { permissionSlugs } from '../../../core/permissions.ts'
import { numbersOf } from '../numbers.ts'

const Count = (example: number, description: string) => Type.Integer({ minimum: 0, examples: [example], description })

export const NumbersView = Type.Object({
  articles: Type.Object({
    draft: Count(3, 'Articles without a published text.'),
    published: Count(89, 'Articles that readers may see.'),
    archived: Count(2, 'Articles out of use.')
  }),
  articles_not_helpful: Count(2, 'Articles that fewer than 60 % of at least five readers call helpful.'),
  articles_asked: Count(1, 'Articles that somebody asks to be published.'),
  tickets_wanting: Count(4, 'Tickets that need an article, as far as the caller sees them.'),
  helpful: Count(120, 'Answers that an article helped: one for each reader and article.'),
  not_helpful: Count(14, 'Answers that it did not.'),
  solved: Count(31, 'Readers who said that an article answered their question.'),
  tickets_with_articles: Count(45, 'Tickets for which staff took an article for a reply or a note.')
})

/** Figures of the knowledge base. Only what readers have said counts: leaving a page says nothing (K13). */
export const showNumbers = endpoint({
  path: '/api/admin/kb/numbers',
  summary: 'Show figures of the knowledge base',
  access: { anyOf: permissionSlugs },
  onlyReads: true,
  data: Type.Object({ numbers: NumbersView }),
  async handle({ actor, services }) {
    return { message: 'Figures', data: { numbers: await numbersOf(services.db, actor) } }
  }
})
