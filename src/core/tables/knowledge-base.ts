import type { Generated } from 'kysely'
import type { Id } from './columns.ts'

export interface KnowledgeBaseTables {
  kb_state: { only_row: Generated<boolean>; revision: number }
  kb_categories: KbCategoryTable
  kb_category_texts: { category_id: number; locale: string; name: string; slug: string }
  kb_articles: KbArticleTable
  kb_texts: KbTextTable
  kb_versions: KbVersionTable
  kb_slugs: { locale: string; slug: string; article_id: number }
  kb_words: { word: string; texts: number }
  kb_feedback: KbFeedbackTable
  kb_links: KbLinkTable
  kb_files: KbFileTable
  kb_file_uses: { article_id: number; locale: string; version: number; file_id: number }
  kb_wanted: { ticket_id: number; staff_id: number | null; created_at: Date }
  widget_secrets: WidgetSecretTable
}

/** From the widest to the narrowest, as the database orders them. */
export const audiences = ['public', 'clients', 'staff'] as const
export type Audience = (typeof audiences)[number]

export const articleStates = ['draft', 'published', 'archived'] as const
export type ArticleState = (typeof articleStates)[number]

export const linkKinds = ['suggested', 'inserted', 'solved'] as const
export type LinkKind = (typeof linkKinds)[number]

interface KbCategoryTable {
  id: Id
  parent_id: number | null
  depth: number
  audience: Audience
  position: number
  version: Generated<number>
  created_at: Date
  updated_at: Date
}

interface KbArticleTable {
  id: Id
  category_id: number
  /** Null: that of its category. */
  audience: Audience | null
  state: ArticleState
  author_id: number | null
  publishing_asked_at: Generated<Date | null>
  publishing_asked_by: Generated<number | null>
  version: Generated<number>
  created_at: Date
  updated_at: Date
}

interface KbTextTable {
  id: Id
  article_id: number
  locale: string
  slug: string
  latest_version: number
  /** The version that readers see; null: none. */
  published_version: number | null
  published_at: Date | null
  words: Generated<string | null>
}

interface KbVersionTable {
  article_id: number
  locale: string
  version: number
  title: string
  markdown: string
  html: string
  plain: string
  author_id: number | null
  author_name: string
  /** The API token by which they wrote it. */
  author_token: Generated<string | null>
  created_at: Date
}

interface KbFeedbackTable {
  article_id: number
  reader: string
  locale: string
  client_id: number | null
  is_helpful: boolean | null
  comment: string | null
  solved_at: Date | null
  created_at: Date
  updated_at: Date
}

interface KbLinkTable {
  article_id: number
  ticket_id: number
  how: LinkKind
  staff_id: number | null
  created_at: Date
}

interface KbFileTable {
  id: Id
  /** The last part of its address. */
  name: string
  type: string
  content: Buffer
  sha256: string
  uploaded_by: number | null
  created_at: Date
}

interface WidgetSecretTable {
  id: Id
  sealed_secret: string
  created_at: Date
  /** Null for the present one; a former one is taken until then. */
  retires_at: Date | null
}
