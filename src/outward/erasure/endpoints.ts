import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { deleteClient } from './endpoints/admin-clients-delete.ts'
import { exportClient } from './endpoints/admin-clients-export.ts'

export const erasureEndpoints: readonly AnyEndpoint[] = [deleteClient, exportClient]
