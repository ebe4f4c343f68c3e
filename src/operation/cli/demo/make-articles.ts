import type { ClientActor, StaffActor } from '../../../core/actor.ts'
import type { Services } from '../../../core/services.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { createArticle } from '../../../help/articles/change-articles.ts'
import { createCategory } from '../../../help/articles/change-categories.ts'
import { storePicture } from '../../../help/articles/pictures.ts'
import { publishArticle } from '../../../help/articles/publish-articles.ts'
import { setSolvedBy } from '../../../help/articles/ticket-articles.ts'
import { answerFeedback } from '../../../help/reading/feedback.ts'
import type { Caller } from '../../../kit/caller.ts'
import { type DemoArticle, demoArticles, demoCategories } from './demo-articles.ts'
import { files } from './demo-files.ts'
import type { ClientName, SupporterName } from './demo-people.ts'

interface Making {
  admin: StaffActor
  supporters: Record<SupporterName, StaffActor>
  clients: Record<ClientName, ClientActor>
  caller: Caller
  ticketOf(client: ClientName, subject: string): Promise<{ id: number } | undefined>
  /** The services as they were so many days ago. */
  daysAgo(days: number): Services
}

/** Writes the help centre, unless somebody has begun one or it has no English. */
export async function makeArticles(services: Services, making: Making): Promise<void> {
  const known = await services.db.selectFrom('kb_categories').select('id').limit(1).executeTakeFirst()
  if (known) return
  const { admin, caller } = making
  const { help_languages } = (await settingsOf(services.db)).settings
  const spoken = <T>(words: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(words).filter(([locale]) => help_languages.includes(locale)))
  if (!help_languages.includes('en')) return
  const first = making.daysAgo(Math.max(...demoArticles.map(({ daysAgo }) => daysAgo)))
  const ids = new Map<string, number>()
  for (const { key, within, name, audience } of demoCategories) {
    const parent_id = within === undefined ? null : ids.get(within)!
    ids.set(key, (await createCategory(first, admin, caller, { name: spoken(name), audience, parent_id })).id)
  }
  for (const article of demoArticles)
    await makeArticle(making, { ...article, texts: spoken(article.texts) }, ids.get(article.category)!)
}

async function makeArticle(making: Making, article: DemoArticle, category_id: number): Promise<void> {
  const { admin, supporters, clients, caller } = making
  const then = making.daysAgo(article.daysAgo)
  const author = supporters[article.by]
  const url = article.picture && (await storePicture(then, author, caller, files[article.picture].content))
  const texts = Object.fromEntries(
    Object.entries(article.texts).map(([locale, { title, markdown }]) => [
      locale,
      { title, markdown: markdown.replace('PICTURE', url ?? '') }
    ])
  )
  const { id } = await createArticle(then, author, caller, { category_id, audience: article.audience ?? null, texts })
  if (article.isDraft) return
  await publishArticle(then, admin, caller, { id })
  const locale = 'en'
  const later = making.daysAgo(Math.max(0, article.daysAgo - 1))
  const answers = [
    ...(article.helped ?? []).map(name => ({ name, isHelpful: true, comment: null })),
    ...Object.entries(article.missed ?? {}).map(([name, comment]) => ({
      ...{ name: name as ClientName, isHelpful: false },
      comment: comment || null
    }))
  ]
  for (const { name, ...said } of answers)
    await answerFeedback(later, { actor: clients[name], caller }, { article_id: id, locale, ...said })
  for (const { client, subject } of article.solved ?? []) {
    const ticket = await making.ticketOf(client, subject)
    if (ticket) await setSolvedBy(later, author, caller, { ticket_id: ticket.id, article_id: id, isSolved: true })
  }
}
