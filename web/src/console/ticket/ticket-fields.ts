import type { DataOf } from '@deskline/client'

export const fieldsPath = '/api/admin/fields/list'
/** How long the definitions of fields are taken for current, in milliseconds. */
export const fieldsStaleTime = 60_000

export type Field = DataOf<typeof fieldsPath>['fields'][number]
