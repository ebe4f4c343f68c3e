import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { check } from './endpoints/check.ts'

export const healthEndpoints: readonly AnyEndpoint[] = [check]
