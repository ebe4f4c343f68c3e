import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { exportConfigFile } from './endpoints/admin-config-export.ts'
import { importConfigFile } from './endpoints/admin-config-import.ts'

export const configFileEndpoints: readonly AnyEndpoint[] = [exportConfigFile, importConfigFile]
