import type { TSchema } from 'typebox'
import type { AnyEndpoint } from '../../kit/endpoint.ts'

interface Shape extends TSchema {
  anyOf: Shape[]
  properties: Record<string, Shape>
  items: Shape
}

/** One of the data that an endpoint answers. */
export function partOf({ path, data }: AnyEndpoint, name: string): Shape {
  const part = (data as Shape | undefined)?.properties[name]
  if (!part) throw new Error(`${path} answers nothing of the name ${name}`)
  return part
}

/** An entry of a list among the data that an endpoint answers. */
export function itemOf(endpoint: AnyEndpoint, name: string): TSchema {
  return partOf(endpoint, name).items
}

/** One of the possible shapes of an endpoint's response. */
export function choiceOf({ path, data }: AnyEndpoint, at: number): Shape {
  const choice = (data as Shape | undefined)?.anyOf[at]
  if (!choice) throw new Error(`${path} has no such choice of answers`)
  return choice
}
