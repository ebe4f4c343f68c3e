import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { showWidget } from './endpoints/admin-widget-detail.ts'
import { rotateSecretOfWidget } from './endpoints/admin-widget-rotate.ts'

export const widgetEndpoints: readonly AnyEndpoint[] = [showWidget, rotateSecretOfWidget]
