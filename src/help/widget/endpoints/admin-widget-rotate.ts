import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { BooleanInput, OutputText } from '../../../kit/schemas.ts'
import { rotateWidgetSecret } from '../secrets.ts'
import { WidgetView, widgetView } from '../widget-schemas.ts'

/** Makes a secret by which sites sign who their visitor is, which is returned only here (K15). The former one is taken for 24 hours. */
export const rotateSecretOfWidget = endpoint({
  path: '/api/admin/widget/rotate',
  summary: 'Make a secret for the contact widget',
  access: 'admin',
  answersSecrets: true,
  body: Type.Object({
    end_former: Type.Optional({ ...BooleanInput(0), description: '1: former secrets are not taken any more.' })
  }),
  data: Type.Object({ widget: WidgetView, secret: OutputText('N1bNeY0uT6Dch2yRkRC8Hc8QvQbYQJY6dN0nRrVvQ0E') }),
  async handle({ body, actor, caller, services }) {
    const endFormer = body.end_former === 1
    const { secret, dates } = await rotateWidgetSecret(services, actor, caller, { endFormer })
    return { message: 'The secret is shown only now', data: { widget: widgetView(dates), secret } }
  }
})
