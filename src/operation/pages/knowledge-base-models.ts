import type { TSchema } from 'typebox'
import {
  ArticleTextView,
  ArticleView,
  AudienceChangeView,
  CategoryView,
  CommentView,
  EffectView,
  FeedbackView,
  LinkedTicketView,
  ListedArticleView,
  VersionView
} from '../../help/articles/article-schemas.ts'
import { InsertedArticleView } from '../../help/articles/endpoints/admin-kb-insert.ts'
import { NumbersView } from '../../help/articles/endpoints/admin-kb-numbers.ts'
import {
  PersonalWordView,
  TicketArticleView,
  TicketDraftView,
  WantingTicketView
} from '../../help/articles/ticket-article-schemas.ts'
import {
  ArticleLanguage,
  FoundArticleView,
  NamedCategory,
  ReadArticleView,
  ReadCategoryView,
  ReadListingView,
  SuggestedView
} from '../../help/reading/reading-schemas.ts'
import { WidgetView } from '../../help/widget/widget-schemas.ts'

/** Those of `apiModels` that are of the knowledge base: what staff see of it, and what readers do. */
export const knowledgeBaseModels: Record<string, TSchema> = {
  Article: ArticleView,
  ArticleCategory: CategoryView,
  ArticleComment: CommentView,
  ArticleFeedback: FeedbackView,
  ArticleLanguage,
  ArticleText: ArticleTextView,
  ArticleTicket: LinkedTicketView,
  ArticleVersion: VersionView,
  AudienceChange: AudienceChangeView,
  AudienceEffect: EffectView,
  ContactWidget: WidgetView,
  FoundArticle: FoundArticleView,
  InsertedArticle: InsertedArticleView,
  KnowledgeBaseNumbers: NumbersView,
  KnowledgeBaseArticles: NumbersView.properties.articles,
  ListedArticle: ListedArticleView,
  NamedArticleCategory: NamedCategory,
  ReadableArticle: ReadArticleView,
  ReadableArticleListing: ReadListingView,
  ReadableCategory: ReadCategoryView,
  ArticleDraft: TicketDraftView,
  PersonalWord: PersonalWordView,
  TicketArticle: TicketArticleView,
  TicketWithoutArticle: WantingTicketView,
  SuggestedArticle: SuggestedView
}
