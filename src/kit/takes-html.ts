import type { FastifyRequest } from 'fastify'

/** Whether the caller accepts HTML, or one of `besides`. A program that asks for JSON gets an error instead. */
export function takesHtml({ headers }: FastifyRequest, ...besides: string[]): boolean {
  const { accept } = headers
  if (accept === undefined) return besides.length > 0
  const taken = accept.split(',').map(each => each.split(';', 1)[0]!.trim().toLowerCase())
  return ['text/html', ...besides].some(type => taken.includes(type))
}
