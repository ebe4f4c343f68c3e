import { loadStrings } from '../../lib/strings.ts'
import { lazyRouteComponent } from '../../router/routes.ts'
import { createRoute } from '../navigation.ts'
import { pageAccess } from '../page-access.ts'
import { protectedPages } from '../protected-pages.tsx'

const knowledge = protectedPages(() => loadStrings('admin', 'definition', 'knowledge'))(
  '/knowledge',
  pageAccess.knowledge,
  () => import('./knowledge-page.tsx'),
  'KnowledgePage'
)

const article = createRoute(knowledge, '/$articleId', {
  component: lazyRouteComponent(() => import('./article-page.tsx'), 'ArticlePage')
})

export const knowledgeRoutes = [knowledge.addChildren([article])]
