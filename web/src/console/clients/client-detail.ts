import type { DataOf } from '@deskline/client'

export type ClientDetail = DataOf<'/api/admin/clients/detail'>['client']
/** A client as in the list, which has fields that the detail lacks. */
export type ListedClient = DataOf<'/api/admin/clients/list'>['clients'][number]
