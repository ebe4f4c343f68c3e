import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { secretDates } from '../secrets.ts'
import { WidgetView, widgetView } from '../widget-schemas.ts'

/** Since when there is a secret by which sites sign who their visitor is (K15). The origins that may show the widget are a setting. */
export const showWidget = endpoint({
  path: '/api/admin/widget/detail',
  aliases: ['/api/admin/widget'],
  summary: 'Show whether the contact widget has a secret',
  access: 'admin',
  onlyReads: true,
  data: Type.Object({ widget: WidgetView }),
  async handle({ services: { db, realClock } }) {
    return { message: 'The contact widget', data: { widget: widgetView(await secretDates(db, realClock.now())) } }
  }
})
