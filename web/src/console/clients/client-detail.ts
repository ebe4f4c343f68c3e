import type { DataOf } from '@deskline/client'

export type ClientDetail = DataOf<'/api/admin/clients/detail'>['client']
/** What the list tells of a client beyond the detail. */
export type ListedClient = DataOf<'/api/admin/clients/list'>['clients'][number]
