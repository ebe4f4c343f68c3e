import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { readArticle } from './endpoints/kb-article.ts'
import { giveFeedback } from './endpoints/kb-feedback.ts'
import { listReadable } from './endpoints/kb-list.ts'
import { sayRead } from './endpoints/kb-read.ts'
import { searchKnowledgeBase } from './endpoints/kb-search.ts'
import { saySolved } from './endpoints/kb-solved.ts'
import { suggestKnowledgeBase } from './endpoints/kb-suggest.ts'

export const readingEndpoints: readonly AnyEndpoint[] = [
  listReadable,
  readArticle,
  searchKnowledgeBase,
  suggestKnowledgeBase,
  giveFeedback,
  saySolved,
  sayRead
]
