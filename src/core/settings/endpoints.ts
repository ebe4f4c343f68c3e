import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { showSettings } from './endpoints/admin-settings-detail.ts'
import { uploadLogo } from './endpoints/admin-settings-logo.ts'
import { deleteLogo } from './endpoints/admin-settings-logo-delete.ts'
import { changeSettings } from './endpoints/admin-settings-update.ts'
import { showDesk } from './endpoints/desk.ts'

export const settingsEndpoints: readonly AnyEndpoint[] = [
  showSettings,
  changeSettings,
  uploadLogo,
  deleteLogo,
  showDesk
]
