import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { showTemplate } from './endpoints/admin-email-templates-detail.ts'
import { listTemplates } from './endpoints/admin-email-templates-list.ts'
import { previewTemplate } from './endpoints/admin-email-templates-preview.ts'
import { resetTemplate } from './endpoints/admin-email-templates-reset.ts'
import { testTemplate } from './endpoints/admin-email-templates-test.ts'
import { updateTemplate } from './endpoints/admin-email-templates-update.ts'

export const emailTemplatesEndpoints: readonly AnyEndpoint[] = [
  listTemplates,
  showTemplate,
  updateTemplate,
  resetTemplate,
  previewTemplate,
  testTemplate
]
