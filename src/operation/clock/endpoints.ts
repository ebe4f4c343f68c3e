import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { testClock } from './endpoints/test-clock.ts'

export const clockEndpoints: readonly AnyEndpoint[] = [testClock]
