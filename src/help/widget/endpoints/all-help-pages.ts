import type { FastifyInstance } from 'fastify'
import type { Services } from '../../../core/services.ts'
import { helpPages } from '../../pages/endpoints/help-pages.ts'
import { widgetPages } from './widget-pages.ts'

/** The pages of the help centre, and those of the contact widget's frame. */
export function allHelpPages(app: FastifyInstance, services: Services): void {
  helpPages(app, services)
  widgetPages(app, services)
}
