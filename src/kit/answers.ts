import { type SetCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type BeginStream, beginEventStream } from './event-stream.ts'
import { type FileAnswer, sendFile } from './file-answer.ts'

/** What an endpoint answers: an envelope with its data, a file, or events for as long as somebody listens. */
export type AnswerKind = 'json' | 'file' | 'events'

/** What every kind of answer may set. A cookie says itself whether scripts may read it, and where it goes. */
export interface AnswerHeaders {
  headers?: Readonly<Record<string, string>>
  cookies?: readonly SetCookie[]
}

interface JsonAnswer extends AnswerHeaders {
  message: string
  data?: unknown
}

/** Handed the stream once its headers are on their way; whatever has to be refused is refused before. */
export interface EventsAnswer extends AnswerHeaders {
  begin: BeginStream
}

export type AnyAnswer = JsonAnswer | (FileAnswer & AnswerHeaders) | EventsAnswer

/** Makes the text of an envelope. */
export type WriteEnvelope = (answer: { message: string; data?: unknown }) => string

/** Sends what an endpoint answered; `write` makes the text of an envelope. */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: AnyAnswer,
  { status, write }: { status: number; write: WriteEnvelope }
): Promise<FastifyReply> {
  if (answer.headers) reply.headers(answer.headers)
  for (const cookie of answer.cookies ?? []) reply.header('set-cookie', stringifySetCookie(cookie))
  if ('begin' in answer) return beginEventStream(reply, answer.begin)
  if ('content' in answer) return await sendFile(request, reply, answer)
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(write(answer))
}
