import { type SetCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type BeginStream, beginEventStream } from './event-stream.ts'
import { type FileAnswer, sendFile } from './file-answer.ts'

/** The response of an endpoint: an envelope with its data, a file, or an event stream. */
export type AnswerKind = 'json' | 'file' | 'events'

/** What every kind of response may set. Each cookie declares its own attributes (`HttpOnly`, `Path`). */
export interface AnswerHeaders {
  headers?: Readonly<Record<string, string>>
  cookies?: readonly SetCookie[]
}

interface JsonAnswer extends AnswerHeaders {
  message: string
  data?: unknown
}

/** `begin` gets the stream once its headers have been sent, so whatever can be refused is checked before. */
export interface EventsAnswer extends AnswerHeaders {
  begin: BeginStream
}

export type AnyAnswer = JsonAnswer | (FileAnswer & AnswerHeaders) | EventsAnswer

/** Serializes an envelope. */
export type SerializeEnvelope = (answer: { message: string; data?: unknown }) => string

/** Sends the response of an endpoint; `write` serializes an envelope. */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: AnyAnswer,
  { status, write }: { status: number; write: SerializeEnvelope }
): Promise<FastifyReply> {
  if (answer.headers) reply.headers(answer.headers)
  for (const cookie of answer.cookies ?? []) reply.header('set-cookie', stringifySetCookie(cookie))
  if ('begin' in answer) return beginEventStream(reply, answer.begin)
  if ('content' in answer) return await sendFile(request, reply, answer)
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(write(answer))
}
